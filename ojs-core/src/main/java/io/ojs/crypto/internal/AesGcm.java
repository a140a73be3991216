package io.ojs.crypto.internal;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;

import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

import io.ojs.crypto.EncryptionKey;
import io.ojs.crypto.InvalidEncryptionKeyException;
import io.ojs.crypto.UndecryptableException;

/**
 * Encrypts and decrypts by AES-256-GCM in the format of OJS Encryption §6.2: version
 * byte, nonce, ciphertext, tag.
 */
final class AesGcm {

	/** The name of the encoding. */
	static final String ENCODING = "binary/encrypted";

	private static final byte VERSION = 1;

	private static final int NONCE_BYTES = 12;

	private static final int TAG_BYTES = 16;

	private static final String TRANSFORMATION = "AES/GCM/NoPadding";

	private final SecureRandom random = new SecureRandom();

	byte[] encrypt(EncryptionKey key, byte[] plain, byte[] aad) {
		byte[] nonce = new byte[NONCE_BYTES];
		this.random.nextBytes(nonce);
		try {
			Cipher cipher = Cipher.getInstance(TRANSFORMATION);
			cipher.init(Cipher.ENCRYPT_MODE, key.key(), new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce));
			cipher.updateAAD(aad);
			ByteBuffer encrypted = ByteBuffer.allocate(1 + NONCE_BYTES + cipher.getOutputSize(plain.length));
			encrypted.put(VERSION).put(nonce);
			cipher.doFinal(ByteBuffer.wrap(plain), encrypted);
			return encrypted.array();
		}
		catch (GeneralSecurityException ex) {
			throw new InvalidEncryptionKeyException(key.id(), "AES-256-GCM does not take it (%s)".formatted(ex));
		}
	}

	byte[] decrypt(EncryptionKey key, byte[] encrypted, byte[] aad) {
		if (encrypted.length < 1 + NONCE_BYTES + TAG_BYTES || encrypted[0] != VERSION) {
			throw new UndecryptableException(key.id(),
					"it is no AES-256-GCM of version 1: %d bytes".formatted(encrypted.length));
		}
		try {
			Cipher cipher = Cipher.getInstance(TRANSFORMATION);
			cipher.init(Cipher.DECRYPT_MODE, key.key(),
					new GCMParameterSpec(TAG_BYTES * Byte.SIZE, encrypted, 1, NONCE_BYTES));
			cipher.updateAAD(aad);
			return cipher.doFinal(encrypted, 1 + NONCE_BYTES, encrypted.length - 1 - NONCE_BYTES);
		}
		catch (AEADBadTagException ex) {
			throw new UndecryptableException(key.id(),
					"the key does not open it: it was changed, copied from another job, or encrypted by another key of that name");
		}
		catch (GeneralSecurityException ex) {
			throw new InvalidEncryptionKeyException(key.id(), "AES-256-GCM does not take it (%s)".formatted(ex));
		}
	}

}
