package io.ojs.amqp.internal.message;

/**
 * Maps OJS priorities, −100 to 100, to AMQP priorities, 0 to 9. No other class does.
 *
 * <p>
 * The default, 0, becomes 4, which quorum queues of RabbitMQ 4 treat as normal. Every
 * higher priority falls into the upper half, which they treat as high. The steps are
 * narrow around 0, where {@code LOW} (−10) and {@code HIGH} (10) are, and wide at the
 * ends.
 */
final class AmqpPriority {

	/** AMQP priority n starts at OJS priority {@code FROM[n]}. */
	private static final int[] FROM = { -100, -50, -20, -9, 0, 1, 5, 10, 20, 50 };

	private AmqpPriority() {
	}

	static int of(int priority) {
		int amqp = FROM.length - 1;
		while (amqp > 0 && priority < FROM[amqp]) {
			amqp--;
		}
		return amqp;
	}

}
