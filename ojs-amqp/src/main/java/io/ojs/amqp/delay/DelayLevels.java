package io.ojs.amqp.delay;

import java.time.Duration;

/**
 * Where scheduled jobs wait without a database: one queue for each power of two seconds,
 * whatever the delay, and nothing in them holds anything else back.
 *
 * <p>
 * Level <i>n</i> has a topic exchange and a queue whose messages expire after
 * 2<sup>n</sup> seconds into the exchange of level <i>n</i>−1. The routing key carries
 * the delay in binary, one word for each bit. The exchange of a level looks at its own
 * bit: 1 leads into its queue, 0 straight on to the level below. Below level 0 is the
 * exchange from which job queues take what is due. All messages of a queue have the same
 * time to live, so the one at the head is always the next one.
 */
public final class DelayLevels {

	/** Level 22 is 48.5 days; before 3.11 RabbitMQ takes no longer time to live. */
	public static final int HIGHEST_BEFORE_3_11 = 22;

	/** Level 27 is 4.2 years, and all levels together are 8.5 years. */
	public static final int HIGHEST = 27;

	/**
	 * Stands between the queue and the bits. No queue has it in its name, so that none is
	 * taken for the beginning of another.
	 */
	private static final String SEPARATOR = "_";

	private DelayLevels() {
	}

	/**
	 * The longest delay that levels up to one can make.
	 * @param highest the highest level that the broker can have
	 * @return the delay
	 */
	public static Duration longest(int highest) {
		return Duration.ofSeconds((1L << (highest + 1)) - 1);
	}

	/**
	 * Whole seconds that make a delay, rounded up: a job is never early.
	 * @param delay any delay; negative ones are over
	 * @return seconds
	 */
	public static long seconds(Duration delay) {
		if (delay.isNegative()) {
			return 0;
		}
		return delay.getSeconds() + ((delay.getNano() > 0) ? 1 : 0);
	}

	/**
	 * The level to start at.
	 * @param seconds the delay, at least 1
	 * @return the level of its highest bit
	 */
	public static int level(long seconds) {
		return Long.SIZE - 1 - Long.numberOfLeadingZeros(seconds);
	}

	/**
	 * The routing key that takes a message through the levels.
	 * @param queue the OJS queue that it is for
	 * @param seconds the delay, at least 1
	 * @return the queue, and the bits from the highest down
	 */
	public static String routingKey(String queue, long seconds) {
		StringBuilder key = new StringBuilder(queue).append('.').append(SEPARATOR);
		for (int level = level(seconds); level >= 0; level--) {
			key.append('.').append((seconds >> level) & 1);
		}
		return key.toString();
	}

	/**
	 * What the exchange of a level binds by: its bit, as many words from the end as there
	 * are levels below it.
	 * @param level the level
	 * @param bit 1 for those that wait here, 0 for those that go on
	 * @return a binding key
	 */
	public static String bindingKey(int level, int bit) {
		return "#." + bit + ".*".repeat(level);
	}

	/**
	 * Whether a routing key is one that takes a message through the levels.
	 * @param routingKey any routing key
	 * @param queue the OJS queue that it came to
	 * @return whether it is
	 */
	public static boolean isRoutingKey(String routingKey, String queue) {
		return routingKey.startsWith(queue + "." + SEPARATOR + ".");
	}

	/**
	 * What a job queue takes of all that is due.
	 * @param queue the OJS queue
	 * @return a binding key
	 */
	public static String deliveryKey(String queue) {
		return queue + "." + SEPARATOR + ".#";
	}

}
