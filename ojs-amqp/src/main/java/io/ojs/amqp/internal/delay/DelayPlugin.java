package io.ojs.amqp.internal.delay;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;

/**
 * The plugin {@code rabbitmq_delayed_message_exchange} (AMQP binding §8.4, §9.1.2): an
 * exchange that keeps each message for the time in its header.
 *
 * <p>
 * The exchange confirms a message when it stores it, and routes it when the time is over.
 * So a message must not be {@code mandatory}: the broker would return it at once.
 */
public final class DelayPlugin {

	/** Type of the exchange. */
	public static final String EXCHANGE_TYPE = "x-delayed-message";

	/** Argument of the exchange: the type by which it routes messages. */
	public static final String TYPE_ARGUMENT = "x-delayed-type";

	/** Header of a message: how long the exchange keeps it, in milliseconds; integer. */
	public static final String HEADER = "x-delay";

	/** The longest delay, 2<sup>32</sup>−1 ms: 49.7 days. */
	public static final Duration LONGEST = Duration.ofMillis((1L << 32) - 1);

	private DelayPlugin() {
	}

	/**
	 * Converts a delay to whole milliseconds, rounded up so that no job is early.
	 * @param delay a delay up to {@link #LONGEST}; a negative one has passed
	 * @return milliseconds, 0 or more
	 */
	public static long millis(Duration delay) {
		return delay.isNegative() ? 0 : delay.plusNanos(999_999).toMillis();
	}

	/**
	 * Adds the header.
	 * @param millis how long the exchange keeps the message
	 */
	public static BasicProperties delayed(BasicProperties properties, long millis) {
		Map<String, Object> headers = new LinkedHashMap<>();
		if (properties.getHeaders() != null) {
			headers.putAll(properties.getHeaders());
		}
		headers.put(HEADER, millis);
		return properties.builder().headers(headers).build();
	}

}
