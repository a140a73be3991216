package io.ojs.deadletter;

/**
 * The end of a replay.
 */
public enum ReplayEnd {

	/** The replay looked at every dead letter that was there when it began. */
	DONE,

	/** The replay reached its limit; there may be more dead letters. */
	LIMIT,

	/** The listener or an interrupt ended the replay; another one continues. */
	CANCELLED,

	/**
	 * The connection to the broker was lost, or the broker refused a message. A replay
	 * from the job store throws an exception instead.
	 */
	FAILED

}
