package io.ojs.amqp.observe;

import com.rabbitmq.client.Channel;

/**
 * Is told what the consumers of one queue do. They are counted from 0; a consumer that
 * takes the place of another has its number.
 */
public interface ConsumerMetrics {

	/** Nobody looks. */
	ConsumerMetrics NONE = new ConsumerMetrics() {

		@Override
		public void begin(int consumer, Channel channel) {
			// Nobody looks.
		}

		@Override
		public void acked() {
			// Nobody looks.
		}

		@Override
		public void nacked() {
			// Nobody looks.
		}

		@Override
		public void end(int consumer) {
			// Nobody looks.
		}

	};

	/**
	 * A consumer takes up a message.
	 * @param consumer its number
	 * @param channel what the message came over; the consumer has it for itself
	 */
	void begin(int consumer, Channel channel);

	/**
	 * A message was acknowledged.
	 */
	void acked();

	/**
	 * A message was negatively acknowledged.
	 */
	void nacked();

	/**
	 * A consumer is done with a message: it is settled, or the broker hands it out again.
	 * @param consumer its number
	 */
	void end(int consumer);

}
