package io.ojs.amqp.internal.observe;

import com.rabbitmq.client.Channel;

/**
 * Counts what the consumers of one queue do. Consumers have numbers from 0; a consumer
 * that replaces another gets its number.
 */
public interface ConsumerMetrics {

	/** Counts nothing. */
	ConsumerMetrics NONE = new ConsumerMetrics() {

		@Override
		public void begin(int consumer, Channel channel) {
			// Not counted.
		}

		@Override
		public void acked() {
			// Not counted.
		}

		@Override
		public void nacked() {
			// Not counted.
		}

		@Override
		public void end(int consumer) {
			// Not counted.
		}

	};

	/**
	 * A consumer begins to process a message.
	 * @param channel the channel of the message, which only this consumer uses
	 */
	void begin(int consumer, Channel channel);

	/**
	 * A consumer has acked a message.
	 */
	void acked();

	/**
	 * A consumer has nacked a message.
	 */
	void nacked();

	/**
	 * A consumer ends processing a message: it is settled, or the broker delivers it
	 * again.
	 */
	void end(int consumer);

}
