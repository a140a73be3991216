package io.ojs.crypto;

import java.util.Base64;
import java.util.regex.Pattern;

import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * A key and its id, by which jobs name it.
 *
 * @param id letters, digits and {@code . _ : / -}, at most 128 characters
 * @param key 32 bytes, for AES-256
 */
public record EncryptionKey(String id, SecretKey key) {

	/** The length of a key in bytes (OJS Encryption §6.1). */
	public static final int BYTES = 32;

	/** The most characters of an id. */
	public static final int MAX_ID = 128;

	private static final Pattern ID = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9._:/-]*");

	/**
	 * Checks the id and the length of the key.
	 * @throws InvalidEncryptionKeyException if one of them breaks a rule
	 */
	public EncryptionKey {
		if (id.length() > MAX_ID || !ID.matcher(id).matches()) {
			throw new InvalidEncryptionKeyException(id,
					"its name must be letters, digits and '._:/-', beginning with a letter or digit, at most "
							+ MAX_ID);
		}
		byte[] bytes = key.getEncoded();
		// A key in a hardware security module does not give its bytes.
		if (bytes != null && bytes.length != BYTES) {
			throw new InvalidEncryptionKeyException(id,
					"it must be %d bytes long, but has %d: make one with 'openssl rand -base64 32'".formatted(BYTES,
							bytes.length));
		}
	}

	/**
	 * Reads a key from Base64.
	 * @param id the id of the key
	 * @param base64 the bytes of the key in Base64
	 * @return the key
	 * @throws InvalidEncryptionKeyException if the text is not Base64 of 32 bytes
	 */
	public static EncryptionKey of(String id, String base64) {
		byte[] bytes;
		try {
			bytes = Base64.getDecoder().decode(base64.strip());
		}
		catch (IllegalArgumentException ex) {
			// The message must not show any part of the key.
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
