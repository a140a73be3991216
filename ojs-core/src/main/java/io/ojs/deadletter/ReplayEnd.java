package io.ojs.deadletter;

/**
 * How a replay ended.
 */
public enum ReplayEnd {

	/** It looked at every dead letter that was meant. */
	COMPLETE,

	/** It replayed as many as it was to, and there may be more. */
	LIMIT,

	/** It was stopped by its listener or by an interrupt; another one goes on. */
	STOPPED

}
