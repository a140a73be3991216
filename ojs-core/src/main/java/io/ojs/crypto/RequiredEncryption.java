package io.ojs.crypto;

/**
 * What a worker requires of the arguments of jobs that other producers enqueue.
 */
public enum RequiredEncryption {

	/** None: plain arguments are accepted. */
	NONE,

	/** The arguments must be encrypted. */
	ENCRYPTED,

	/**
	 * The arguments must be encrypted and bound to the type of the job and, if it has
	 * one, its tenant.
	 */
	BOUND

}
