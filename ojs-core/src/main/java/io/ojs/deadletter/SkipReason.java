package io.ojs.deadletter;

/**
 * Why a matching dead letter is not replayed.
 */
public enum SkipReason {

	/** Its {@code expires_at} has passed, so no worker would start it. */
	EXPIRED,

	/** With the changes, the job would break a rule of the envelope. */
	INVALID

}
