package io.ojs.amqp.message;

/**
 * The one place where OJS priorities, −100 to 100, become AMQP priorities, 0 to 9.
 *
 * <p>
 * 0, the default, is 4: what quorum queues of RabbitMQ 4 take as normal; everything above
 * is in their upper half. The steps are narrow around 0, where {@code LOW} (−10) and
 * {@code HIGH} (10) live, and wide at the ends.
 */
final class AmqpPriority {

	/** AMQP priority n is for OJS priorities from {@code FROM[n]} up. */
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
