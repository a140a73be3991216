package io.ojs.amqp.observe;

/**
 * Is told what the consumers of one queue do. They are counted from 0; a consumer that
 * takes the place of another has its number.
 */
public interface ConsumerMetrics {

	/** Nobody looks. */
	ConsumerMetrics NONE = new ConsumerMetrics() {

		@Override
		public void begin(int consumer) {
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
	 */
	void begin(int consumer);

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
