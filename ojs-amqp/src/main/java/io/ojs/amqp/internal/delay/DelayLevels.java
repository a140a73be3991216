package io.ojs.amqp.internal.delay;

import java.time.Duration;

/**
 * Delay levels: the queues in which scheduled jobs wait without a database. There is one
 * queue for each power of two seconds, and no message in it holds up another.
 *
 * <p>
 * Level <i>n</i> has a topic exchange and a queue whose messages expire after
 * 2<sup>n</sup> seconds into the exchange of level <i>n</i>−1. The routing key carries
 * the delay in binary, one word for each bit. The exchange of a level looks at its own
 * bit: 1 routes into its queue, 0 to the exchange of the level below. Below level 0 is
 * the exchange that routes due jobs to the job queues. All messages of a queue have the
 * same time to live, so the one at the head always expires first.
 */
public final class DelayLevels {

	/**
	 * Level 22 is 48.5 days, the highest that fits the longest time to live of RabbitMQ
	 * before 3.11.
	 */
	public static final int HIGHEST_BEFORE_3_11 = 22;

	/** Level 27 is 4.2 years; all levels together are 8.5 years. */
	public static final int HIGHEST = 27;

	/**
	 * The word between the queue and the bits. No OJS queue name has it, so that the
	 * routing keys of two queues cannot be confused.
	 */
	private static final String SEPARATOR = "_";

	private DelayLevels() {
	}

	/**
	 * The longest delay of all levels up to one.
	 * @param highest the highest level that the broker can have
	 */
	public static Duration longest(int highest) {
		return Duration.ofSeconds((1L << (highest + 1)) - 1);
	}

	/**
	 * Converts a delay to whole seconds, rounded up so that no job is early.
	 * @param delay any delay; a negative one has passed
	 * @return seconds, 0 or more
	 */
	public static long seconds(Duration delay) {
		if (delay.isNegative()) {
			return 0;
		}
		return delay.getSeconds() + ((delay.getNano() > 0) ? 1 : 0);
	}

	/**
	 * The level at which a delay starts.
	 * @param seconds the delay, at least 1
	 */
	public static int level(long seconds) {
		return Long.SIZE - 1 - Long.numberOfLeadingZeros(seconds);
	}

	/**
	 * The routing key that takes a message through the levels.
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
	 * The binding key by which the exchange of a level finds its bit: the bit, followed
	 * by one word for each level below.
	 * @param bit 1 for messages that wait at this level, 0 for those that skip it
	 */
	public static String bindingKey(int level, int bit) {
		return "#." + bit + ".*".repeat(level);
	}

	/**
	 * Whether a routing key takes a message through the levels.
	 * @param queue the OJS queue that the message arrived in
	 * @return whether it does
	 */
	public static boolean isRoutingKey(String routingKey, String queue) {
		return routingKey.startsWith(queue + "." + SEPARATOR + ".");
	}

	/** The binding key by which a job queue gets its due jobs. */
	public static String deliveryKey(String queue) {
		return queue + "." + SEPARATOR + ".#";
	}

}
