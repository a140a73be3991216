package io.ojs.amqp.listen;

/**
 * Why an attempt was told to end.
 */
enum Interruption {

	/** Somebody cancelled the job. */
	CANCELLED,

	/** It took longer than its timeout. */
	TIMED_OUT,

	/** The application stops, and its grace is over. */
	STOPPED,

	/** The job is another worker's by now: what comes of this attempt is not taken. */
	LEASE_LOST

}
