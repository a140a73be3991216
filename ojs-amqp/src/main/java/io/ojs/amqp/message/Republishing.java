package io.ojs.amqp.message;

import java.util.LinkedHashMap;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.ojs.job.JobError;

/**
 * The properties of a message that is published again: as it came, except for what has
 * changed (AMQP binding §8.3).
 */
public final class Republishing {

	/** Headers must fit into one frame, which has 128 KiB by default, with all others. */
	private static final int MAX_TEXT = 1000;

	private Republishing() {
	}

	/**
	 * For the next attempt.
	 * @param received the properties as they came
	 * @param nextAttempt the attempt that follows
	 * @param error what went wrong
	 * @param expirationMillis how long the message waits in its lane
	 * @return the properties to publish
	 */
	public static BasicProperties forRetry(BasicProperties received, int nextAttempt, JobError error,
			long expirationMillis) {
		Map<String, Object> headers = headers(received, error);
		headers.put(OjsHeaders.ATTEMPT, nextAttempt);
		return persistent(received).headers(headers).expiration(Long.toString(expirationMillis)).build();
	}

	/**
	 * For the dead letter queue.
	 * @param received the properties as they came
	 * @param error what went wrong
	 * @return the properties to publish
	 */
	public static BasicProperties forDeadLetter(BasicProperties received, JobError error) {
		Map<String, Object> headers = headers(received, error);
		headers.put(OjsHeaders.ERROR_TYPE, cut(error.type()));
		// A dead letter stays until somebody looks at it.
		return persistent(received).headers(headers).expiration(null).build();
	}

	private static BasicProperties.Builder persistent(BasicProperties received) {
		// RabbitMQ refuses a user_id that is not the publisher's own.
		return received.builder().deliveryMode(2).userId(null);
	}

	private static Map<String, Object> headers(BasicProperties received, JobError error) {
		Map<String, Object> headers = new LinkedHashMap<>();
		if (received.getHeaders() != null) {
			headers.putAll(received.getHeaders());
		}
		headers.keySet().removeIf(Republishing::isNotForResending);
		headers.put(OjsHeaders.ERROR_CODE, error.code());
		headers.put(OjsHeaders.ERROR_MESSAGE, cut(error.message()));
		return headers;
	}

	/**
	 * What the broker wrote about earlier deliveries; sent back by a client it is ignored
	 * at best, and taken for a cycle at worst. And what would have it delivered to others
	 * too.
	 */
	private static boolean isNotForResending(String header) {
		return header.equals("x-death") || header.startsWith("x-first-death-") || header.startsWith("x-last-death-")
				|| header.equals("x-delivery-count") || header.equals("x-acquired-count") || header.equals("CC")
				|| header.equals("BCC");
	}

	private static String cut(String text) {
		if (text.length() <= MAX_TEXT) {
			return text;
		}
		int end = Character.isHighSurrogate(text.charAt(MAX_TEXT - 1)) ? MAX_TEXT - 1 : MAX_TEXT;
		return text.substring(0, end) + "…";
	}

}
