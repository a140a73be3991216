package io.ojs.amqp.deadletter;

/**
 * How a replay ended.
 */
public enum BrokerReplayEnd {

	/** Every dead letter that was there at its beginning has been looked at. */
	DONE,

	/** As many as were asked for have been replayed. */
	MAX_REACHED,

	/** Somebody cancelled it, or interrupted its thread. */
	CANCELLED,

	/** The connection was lost, or the broker refused to go on. */
	FAILED

}
