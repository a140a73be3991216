package io.ojs.amqp.deadletter;

/**
 * How a replay ended.
 */
public enum BrokerReplayEnd {

	/** The replay has examined every dead letter that was in the queue when it began. */
	DONE,

	/** The replay has replayed the requested maximum. */
	MAX_REACHED,

	/** The listener cancelled the replay, or its thread was interrupted. */
	CANCELLED,

	/** The connection was lost, or the broker refused a message. */
	FAILED

}
