package io.ojs.crypto;

import java.util.Optional;

/**
 * The source of encryption keys (OJS Encryption §10). Must be thread-safe, and is called
 * for each job that is encrypted or decrypted, so an implementation that fetches keys
 * from elsewhere should cache them.
 */
public interface EncryptionKeys {

	/**
	 * The key that encrypts new jobs.
	 * @return the key
	 * @throws RuntimeException if the key is not available; the job is not enqueued
	 */
	EncryptionKey active();

	/**
	 * Finds a key that has encrypted jobs.
	 * @param id the id of the key
	 * @return the key; empty if it is unknown here, perhaps only for now
	 * @throws RuntimeException if it cannot be looked up; the attempt fails and is
	 * retried
	 */
	Optional<EncryptionKey> find(String id);

}
