package io.ojs.crypto;

import java.util.Base64;
import java.util.regex.Pattern;

import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * A key, and the name by which jobs say that they were encrypted with it.
 *
 * @param id its name: letters, digits and {@code . _ : / -}, at most 128
 * @param key 32 bytes, for AES-256
 */
public record EncryptionKey(String id, SecretKey key) {

	/** Bytes of a key (OJS Encryption §6.1). */
	public static final int BYTES = 32;

	/** Longest name. */
	public static final int MAX_ID = 128;

	private static final Pattern ID = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9._:/-]*");

	/**
	 * Checks it.
	 * @throws InvalidEncryptionKeyException if its name or its length breaks a rule
	 */
	public EncryptionKey {
		if (id.length() > MAX_ID || !ID.matcher(id).matches()) {
			throw new InvalidEncryptionKeyException(id,
					"its name must be letters, digits and '._:/-', beginning with a letter or digit, at most "
							+ MAX_ID);
		}
		byte[] bytes = key.getEncoded();
		// A key that stays in a module tells nothing of itself.
		if (bytes != null && bytes.length != BYTES) {
			throw new InvalidEncryptionKeyException(id,
					"it must be %d bytes long, but has %d: make one with 'openssl rand -base64 32'".formatted(BYTES,
							bytes.length));
		}
	}

	/**
	 * Reads a key.
	 * @param id its name
	 * @param base64 its bytes in Base64
	 * @return the key
	 * @throws InvalidEncryptionKeyException if that is no Base64, or not 32 bytes
	 */
	public static EncryptionKey of(String id, String base64) {
		byte[] bytes;
		try {
			bytes = Base64.getDecoder().decode(base64.strip());
		}
		catch (IllegalArgumentException ex) {
			// Nothing of what stands there belongs into a message.
			throw new InvalidEncryptionKeyException(id,
					"it must be Base64 of 32 bytes: make one with 'openssl rand -base64 32'");
		}
		if (bytes.length == 0) {
			throw new InvalidEncryptionKeyException(id, "it is empty: make one with 'openssl rand -base64 32'");
		}
		return new EncryptionKey(id, new SecretKeySpec(bytes, "AES"));
	}

	/** Without the key. */
	@Override
	public String toString() {
		return "EncryptionKey[" + this.id + "]";
	}

}
