package io.ojs.amqp.observe;

import io.ojs.amqp.message.Purpose;

/**
 * Is told what goes on between this process and the broker (AMQP binding §12.1). Called
 * for every message, some of it by the connection's thread: implementations are quick and
 * throw nothing.
 */
public interface AmqpMetrics {

	/** Nobody looks. */
	AmqpMetrics NONE = new AmqpMetrics() {

		@Override
		public void published(String queue, Purpose purpose) {
			// Nobody looks.
		}

		@Override
		public void returned(String queue) {
			// Nobody looks.
		}

		@Override
		public void confirmed(long nanos) {
			// Nobody looks.
		}

		@Override
		public void reconnecting() {
			// Nobody looks.
		}

		@Override
		public ConsumerMetrics consumers(String queue, int count) {
			return ConsumerMetrics.NONE;
		}

	};

	/**
	 * The broker confirmed a message and did not return it.
	 * @param queue the OJS queue that it belongs to
	 * @param purpose why it was published
	 */
	void published(String queue, Purpose purpose);

	/**
	 * The broker returned a message: nothing leads to where it was sent.
	 * @param queue the OJS queue that it belongs to
	 */
	void returned(String queue);

	/**
	 * The broker answered a publish, with an ack or a nack.
	 * @param nanos how long that took, in nanoseconds, from just before the publish
	 */
	void confirmed(long nanos);

	/**
	 * A connection that was lost, or never made, is tried again.
	 */
	void reconnecting();

	/**
	 * A queue is worked from now on. Asked for once per start of its consumers, not for
	 * each message.
	 * @param queue the OJS queue
	 * @param count how many consumers it has in this process, 1 or more
	 * @return is told what they do
	 */
	ConsumerMetrics consumers(String queue, int count);

}
