package io.ojs.deadletter;

/**
 * Why a dead letter that was meant stays one.
 */
public enum SkipReason {

	/** Its {@code expires_at} is over: no worker would start it. */
	EXPIRED,

	/** With what was to be different about it, it would break a rule of the envelope. */
	INVALID

}
