package io.ojs.amqp.delay;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;

/**
 * The plugin {@code rabbitmq_delayed_message_exchange} (AMQP binding §8.4, §9.1.2): one
 * exchange that keeps each message as long as its header says.
 *
 * <p>
 * It confirms a message when it keeps it, and routes it when the time is over. So a
 * message cannot be {@code mandatory}: it would come back at once.
 */
public final class DelayPlugin {

	/** Type of the exchange. */
	public static final String EXCHANGE_TYPE = "x-delayed-message";

	/** Argument of the exchange that says how it routes in the end. */
	public static final String TYPE_ARGUMENT = "x-delayed-type";

	/** Header of a message that says how long it waits, in milliseconds; integer. */
	public static final String HEADER = "x-delay";

	/** The longest delay, 2<sup>32</sup>−1 ms: 49.7 days. */
	public static final Duration LONGEST = Duration.ofMillis((1L << 32) - 1);

	private DelayPlugin() {
	}

	/**
	 * Whole milliseconds that make a delay, rounded up: a job is never early.
	 * @param delay a delay up to {@link #LONGEST}; negative ones are over
	 * @return milliseconds
	 */
	public static long millis(Duration delay) {
		return delay.isNegative() ? 0 : delay.plusNanos(999_999).toMillis();
	}

	/**
	 * Adds the header.
	 * @param properties properties and headers of a message
	 * @param millis how long it waits
	 * @return the same with the header
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
