package io.ojs.deadletter;

/**
 * Why a dead letter is not replayed.
 */
public enum SkipReason {

	/**
	 * The filter does not match it. Only replays from the broker count these, because
	 * they have to take all dead letters of the queue.
	 */
	NOT_MATCHING(false),

	/** Its {@code expires_at} has passed, so no worker would start it. */
	EXPIRED(false),

	/** This replay has replayed it, and it failed again; only at the broker. */
	FAILED_AGAIN(false),

	/**
	 * With the changes, the job would break a rule of the envelope; only in the job
	 * store.
	 */
	INVALID(true),

	/** No queue is bound for it; only at the broker. */
	UNROUTABLE(true),

	/**
	 * The broker did not take it: the job queue is full, or its headers do not fit into a
	 * frame.
	 */
	REFUSED(true);

	private final boolean error;

	SkipReason(boolean error) {
		this.error = error;
	}

	/**
	 * Whether the replay was to replay the dead letter and could not.
	 * @return whether it is an error
	 */
	public boolean isError() {
		return this.error;
	}

}
