package io.ojs.crypto;

import java.util.Optional;

/**
 * Where keys come from (OJS Encryption §10). Asked for each job that is encrypted or
 * decrypted, by many threads at a time: whoever fetches keys from elsewhere keeps them
 * for a while.
 */
public interface EncryptionKeys {

	/**
	 * The key that jobs are encrypted with now.
	 * @return the key
	 * @throws RuntimeException if it cannot be had; the job is not enqueued
	 */
	EncryptionKey active();

	/**
	 * A key that jobs were encrypted with.
	 * @param id its name
	 * @return the key; empty if it is not known here, perhaps not yet
	 * @throws RuntimeException if nobody can say; the attempt fails, and is retried
	 */
	Optional<EncryptionKey> find(String id);

}
