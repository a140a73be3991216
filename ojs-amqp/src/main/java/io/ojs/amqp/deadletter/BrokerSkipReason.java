package io.ojs.amqp.deadletter;

/**
 * Why a dead letter stays in its queue.
 */
public enum BrokerSkipReason {

	/** The filter does not select it. */
	NOT_MATCHING(false),

	/** Its {@code expires_at} has passed, so no worker would start it. */
	EXPIRED(false),

	/** This replay has replayed it, and it failed again. */
	FAILED_AGAIN(false),

	/** No queue is bound for it. */
	UNROUTABLE(true),

	/**
	 * The broker did not take it: the job queue is full, or its headers do not fit into a
	 * frame.
	 */
	REFUSED(true);

	private final boolean error;

	BrokerSkipReason(boolean error) {
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
