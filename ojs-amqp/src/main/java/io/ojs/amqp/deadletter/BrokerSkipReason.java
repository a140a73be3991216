package io.ojs.amqp.deadletter;

/**
 * Why a dead letter stays where it is.
 */
public enum BrokerSkipReason {

	/** The filter does not mean it. */
	NOT_MATCHING(false),

	/** Its {@code expires_at} is over: no worker would start it. */
	EXPIRED(false),

	/** It was replayed in this run and failed again. */
	FAILED_AGAIN(false),

	/** No queue is bound to where it would go. */
	UNROUTABLE(true),

	/** The broker did not take it: the job queue is full, or headers fill its frame. */
	REFUSED(true);

	private final boolean error;

	BrokerSkipReason(boolean error) {
		this.error = error;
	}

	/**
	 * Whether it was meant to be replayed and could not be.
	 * @return whether it is an error
	 */
	public boolean isError() {
		return this.error;
	}

}
