package io.ojs.deadletter;

/**
 * The end of a replay.
 */
public enum ReplayEnd {

	/** The replay looked at every dead letter that matches. */
	COMPLETE,

	/** The replay reached its limit; there may be more dead letters. */
	LIMIT,

	/** The listener or an interrupt stopped the replay; another one continues. */
	STOPPED

}
