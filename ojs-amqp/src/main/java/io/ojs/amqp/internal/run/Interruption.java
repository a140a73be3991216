package io.ojs.amqp.internal.run;

/**
 * Why an attempt was told to end.
 */
public enum Interruption {

	/** The job was cancelled. */
	CANCELLED,

	/** The attempt took longer than its timeout. */
	TIMED_OUT,

	/** The application stops, and its shutdown grace has passed. */
	STOPPED,

	/**
	 * The lease was lost: another worker may have the job, and the store ignores the
	 * outcome of this attempt.
	 */
	LEASE_LOST

}
