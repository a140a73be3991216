package io.ojs.amqp.internal.observe;

import io.ojs.amqp.internal.message.Purpose;

/**
 * Counts what happens between this process and the broker (AMQP binding §12.1). It is
 * called for every message, in part by the thread that reads the connection, so
 * implementations must be quick and must not throw.
 */
public interface AmqpMetrics {

	/** Counts nothing. */
	AmqpMetrics NONE = new AmqpMetrics() {

		@Override
		public void published(String queue, Purpose purpose) {
			// Not counted.
		}

		@Override
		public void returned(String queue) {
			// Not counted.
		}

		@Override
		public void confirmed(long nanos) {
			// Not counted.
		}

		@Override
		public void reconnecting() {
			// Not counted.
		}

		@Override
		public ConsumerMetrics consumers(String queue, int count) {
			return ConsumerMetrics.NONE;
		}

	};

	/**
	 * The broker confirmed a message and did not return it.
	 * @param queue the OJS queue that it belongs to
	 */
	void published(String queue, Purpose purpose);

	/**
	 * The broker returned a message, since no queue is bound for it.
	 * @param queue the OJS queue that it belongs to
	 */
	void returned(String queue);

	/**
	 * The broker answered a publish with an ack or a nack.
	 * @param nanos time since just before the publish, in nanoseconds
	 */
	void confirmed(long nanos);

	/**
	 * An attempt begins to open a connection that was lost or never open.
	 */
	void reconnecting();

	/**
	 * Consumers of a queue start. Called once per start, not for each message.
	 * @param count how many consumers it has in this process, 1 or more
	 */
	ConsumerMetrics consumers(String queue, int count);

}
