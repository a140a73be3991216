package io.ojs.amqp.message;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.LongString;
import io.ojs.handler.JobFailure;
import io.ojs.deadletter.ReplayMarks;
import io.ojs.job.InvalidJobException;
import io.ojs.job.JobError;
import io.ojs.job.Rfc3339;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a message that is published again: as it came, except for what has
 * changed (AMQP binding §8.3).
 */
public final class Republishing {

	/** Headers must fit into one frame, which has 128 KiB by default, with all others. */
	private static final int MAX_TEXT = 1000;

	private static final Set<String> ERROR_HEADERS = Set.of(OjsHeaders.ERROR_CODE, OjsHeaders.ERROR_MESSAGE,
			OjsHeaders.ERROR_TYPE, OjsHeaders.ERROR_STACK_HASH, OjsHeaders.ERROR_ROUTING_KEY, OjsHeaders.ERROR_FIRST_AT,
			OjsHeaders.ERROR_AT);

	/** A frame with a table in which nothing is. */
	private static final int EMPTY_TABLE = HeaderFrame.size(new BasicProperties.Builder().headers(Map.of()).build());

	private static final int MAX_NAMES = 3;

	private static final int MAX_NAMES_LENGTH = 200;

	/** In bytes, with names that UTF-8 takes three for each character of. */
	private static final int LONGEST_NOTE = 100 + 3 * MAX_NAMES_LENGTH;

	/** No point in time takes more to write. */
	private static final int LONGEST_TIME = 64;

	/** AMQP carries it in one byte. */
	private static final int HIGHEST_PRIORITY = 255;

	private Republishing() {
	}

	/**
	 * The properties of a message whose job a store keeps: whatever becomes of the job
	 * meanwhile, the message is known to be the store's.
	 * @param received the properties as they came, from anywhere
	 * @param store the id of the store
	 * @return the same with this id
	 */
	public static BasicProperties ofStore(BasicProperties received, String store) {
		Map<String, Object> headers = new LinkedHashMap<>();
		if (received.getHeaders() != null) {
			headers.putAll(received.getHeaders());
		}
		headers.put(OjsHeaders.STORE, store);
		return received.builder().headers(headers).build();
	}

	/**
	 * For the next attempt.
	 * @param received the properties as they came
	 * @param nextAttempt the attempt that follows
	 * @param error what went wrong
	 * @param expirationMillis how long the message waits in its retry queue
	 * @param frameMax the longest frame of the connection in bytes, 0 for no limit; if
	 * the error does not fit in, it is left out, since the job needs its own headers more
	 * @return the properties to publish
	 */
	public static BasicProperties forRetry(BasicProperties received, int nextAttempt, JobError error,
			long expirationMillis, int frameMax) {
		Map<String, Object> headers = headers(received, error);
		headers.put(OjsHeaders.ERROR_FIRST_AT, firstFailure(received, error));
		headers.put(OjsHeaders.ATTEMPT, nextAttempt);
		headers.remove(OjsHeaders.HELD_SINCE);
		BasicProperties retry = persistent(received).headers(headers)
			.expiration(Long.toString(expirationMillis))
			.build();
		if (!HeaderFrame.fits(HeaderFrame.size(retry), frameMax)) {
			headers.keySet().removeAll(ERROR_HEADERS);
		}
		return retry.builder().headers(headers).build();
	}

	/**
	 * For an attempt whose time has not come: what the message says of earlier ones is
	 * kept.
	 * @param received the properties as they came
	 * @param attempt the attempt that waits
	 * @param expirationMillis how long the message waits in its retry queue
	 * @return the properties to publish
	 */
	public static BasicProperties forLater(BasicProperties received, int attempt, long expirationMillis) {
		Map<String, Object> headers = sendable(received);
		headers.put(OjsHeaders.ATTEMPT, attempt);
		return persistent(received).headers(headers).expiration(Long.toString(expirationMillis)).build();
	}

	/**
	 * For somebody who can run this version of the job.
	 * @param received the properties as they came
	 * @param attempt the attempt, which has not begun
	 * @param since when it was first met by somebody who cannot
	 * @param expirationMillis how long the message waits in its retry queue
	 * @return the properties to publish
	 */
	public static BasicProperties forOthers(BasicProperties received, int attempt, Instant since,
			long expirationMillis) {
		BasicProperties later = forLater(received, attempt, expirationMillis);
		Map<String, Object> headers = new LinkedHashMap<>(later.getHeaders());
		headers.put(OjsHeaders.HELD_SINCE, Rfc3339.format(Rfc3339.utc(since)));
		return later.builder().headers(headers).build();
	}

	/**
	 * Since when a message goes from one to the other who cannot run its job.
	 * @param received the properties as they came
	 * @param now the present
	 * @return what its header says, or the present
	 */
	public static Instant heldSince(BasicProperties received, Instant now) {
		Object written = (received.getHeaders() != null) ? received.getHeaders().get(OjsHeaders.HELD_SINCE) : null;
		String text = (written instanceof LongString || written instanceof String) ? written.toString() : "";
		try {
			Instant since = (text.length() <= LONGEST_TIME) ? Rfc3339.parse(OjsHeaders.HELD_SINCE, text).toInstant()
					: now;
			return since.isAfter(now) ? now : since;
		}
		catch (InvalidJobException ex) {
			// None, or somebody else's writing.
			return now;
		}
	}

	/**
	 * For the dead letter queue.
	 * @param received the properties as they came
	 * @param failure what went wrong
	 * @param routingKey what the job was first published with
	 * @param frameMax the longest frame of the connection in bytes, 0 for no limit; if
	 * the error does not fit in, the longest header that came is left out, and the error
	 * says so
	 * @return the properties to publish
	 */
	public static BasicProperties forDeadLetter(BasicProperties received, JobFailure failure, String routingKey,
			int frameMax) {
		JobError error = failure.error();
		Map<String, Object> headers = headers(received, error);
		if (error.attempt() > 0) {
			headers.put(OjsHeaders.ATTEMPT, error.attempt());
		}
		else {
			// No job: what stands there is evidence of why.
			headers.putIfAbsent(OjsHeaders.ATTEMPT, 1);
		}
		headers.put(OjsHeaders.ERROR_STACK_HASH, failure.stackHash());
		headers.put(OjsHeaders.ERROR_ROUTING_KEY, routingKey);
		headers.put(OjsHeaders.ERROR_FIRST_AT, firstFailure(received, error));
		headers.put(OjsHeaders.ERROR_AT, Rfc3339.format(error.occurredAt()));
		headers.put(OjsHeaders.ERROR_TYPE, cut(error.type()));
		// A dead letter stays until somebody looks at it.
		BasicProperties dead = persistent(received).headers(headers).expiration(null).build();
		int size = HeaderFrame.size(dead);
		return HeaderFrame.fits(size, frameMax) ? dead : shortened(dead, size + LONGEST_NOTE - frameMax);
	}

	private static BasicProperties shortened(BasicProperties dead, int excess) {
		Map<String, Object> headers = new LinkedHashMap<>(dead.getHeaders());
		List<String> longestFirst = headers.keySet()
			.stream()
			.filter((header) -> !ERROR_HEADERS.contains(header))
			.sorted(Comparator.comparing((String header) -> length(header, headers)).reversed())
			.toList();
		List<String> leftOut = new ArrayList<>();
		int saved = 0;
		for (String header : longestFirst) {
			if (saved >= excess) {
				break;
			}
			saved += length(header, headers);
			headers.remove(header);
			leftOut.add(header);
		}
		headers.computeIfPresent(OjsHeaders.ERROR_MESSAGE, (header, message) -> message + note(leftOut));
		return dead.builder().headers(headers).build();
	}

	private static String note(List<String> leftOut) {
		String names = String.join(", ", leftOut.subList(0, Math.min(leftOut.size(), MAX_NAMES)));
		String shown = (names.length() <= MAX_NAMES_LENGTH) ? names : names.substring(0, MAX_NAMES_LENGTH) + "…";
		return " (Headers left out, since one frame has no room for them and this: %d, the longest %s.)"
			.formatted(leftOut.size(), shown);
	}

	/** The bytes that a header takes. */
	private static int length(String header, Map<String, Object> headers) {
		return HeaderFrame
			.size(new BasicProperties.Builder().headers(Collections.singletonMap(header, headers.get(header))).build())
				- EMPTY_TABLE;
	}

	/**
	 * For the same attempt, in another queue that keeps jobs in their order.
	 * @param received the properties as they came
	 * @return the properties to publish
	 */
	public static BasicProperties forMove(BasicProperties received) {
		return persistent(received).headers(sendable(received)).priority(null).build();
	}

	/**
	 * What a retry wrote is kept. A first attempt has not failed before, whatever its
	 * producer says, and nothing has failed for the first time after it failed last.
	 */
	private static Object firstFailure(BasicProperties received, JobError error) {
		Object written = (received.getHeaders() != null) ? received.getHeaders().get(OjsHeaders.ERROR_FIRST_AT) : null;
		String text = (error.attempt() > 1 && (written instanceof LongString || written instanceof String))
				? written.toString() : "";
		if (!text.isEmpty() && text.length() <= LONGEST_TIME) {
			try {
				if (!Rfc3339.parse(OjsHeaders.ERROR_FIRST_AT, text).isAfter(error.occurredAt())) {
					return text;
				}
			}
			catch (InvalidJobException ex) {
				// Somebody else's writing.
			}
		}
		return Rfc3339.format(error.occurredAt());
	}

	/**
	 * For the job queue, once more from the beginning. It belongs to no store any longer:
	 * a store that has deleted the job is to run it again all the same.
	 * @param received the properties of the dead letter as they came
	 * @param changes headers to set over those that it has
	 * @param priority OJS priority, or {@code null} for the one that it has
	 * @return the properties to publish: the first attempt, without the errors
	 */
	public static BasicProperties forReplay(BasicProperties received, Map<String, Object> changes,
			@Nullable Integer priority) {
		Map<String, Object> headers = sendable(received);
		Integer kept = priority(headers.remove(OjsHeaders.PRIORITY));
		headers.keySet().removeIf((header) -> header.startsWith(OjsHeaders.ERROR_PREFIX));
		headers.remove(OjsHeaders.HELD_SINCE);
		headers.put(OjsHeaders.STORE, ReplayMarks.STORE);
		headers.put(OjsHeaders.ATTEMPT, 1);
		headers.putAll(changes);
		BasicProperties.Builder properties = persistent(received).headers(headers).expiration(null);
		if (priority != null || (received.getPriority() == null && kept != null)) {
			properties.priority((priority != null) ? (Integer) AmqpPriority.of(priority) : kept);
		}
		return properties.build();
	}

	/**
	 * For the end of the dead letter queue that it came from.
	 * @param received the properties of the dead letter as they came
	 * @param frameMax the longest frame of the connection in bytes, 0 for no limit
	 * @return the properties to publish: the same, with what the broker wrote about its
	 * death, but the priority moved to a header, if there is room for it
	 */
	public static BasicProperties forKeeping(BasicProperties received, int frameMax) {
		Map<String, Object> headers = new LinkedHashMap<>();
		if (received.getHeaders() != null) {
			headers.putAll(received.getHeaders());
		}
		headers.keySet().removeIf(Republishing::isOfThisDelivery);
		BasicProperties kept = received.builder().headers(headers).userId(null).build();
		if (received.getPriority() == null) {
			return kept;
		}
		Map<String, Object> withPriority = new LinkedHashMap<>(headers);
		withPriority.put(OjsHeaders.PRIORITY, received.getPriority());
		BasicProperties moved = kept.builder().headers(withPriority).priority(null).build();
		return HeaderFrame.fits(HeaderFrame.size(moved), frameMax) ? moved : kept;
	}

	private static @Nullable Integer priority(@Nullable Object header) {
		boolean whole = header instanceof Integer || header instanceof Long || header instanceof Short
				|| header instanceof Byte;
		long priority = whole ? ((Number) header).longValue() : -1;
		return (priority >= 0 && priority <= HIGHEST_PRIORITY) ? (Integer) (int) priority : null;
	}

	private static BasicProperties.Builder persistent(BasicProperties received) {
		// RabbitMQ refuses a user_id that is not the publisher's own.
		return received.builder().deliveryMode(2).userId(null);
	}

	private static Map<String, Object> headers(BasicProperties received, JobError error) {
		Map<String, Object> headers = sendable(received);
		headers.put(OjsHeaders.ERROR_CODE, error.code());
		headers.put(OjsHeaders.ERROR_MESSAGE, cut(error.message()));
		return headers;
	}

	private static Map<String, Object> sendable(BasicProperties received) {
		Map<String, Object> headers = new LinkedHashMap<>();
		if (received.getHeaders() != null) {
			headers.putAll(received.getHeaders());
		}
		headers.keySet().removeIf(Republishing::isNotForResending);
		return headers;
	}

	/**
	 * What the broker wrote about earlier deliveries; sent back by a client it is ignored
	 * at best, and taken for a cycle at worst. And what would have it delivered to others
	 * too.
	 */
	private static boolean isNotForResending(String header) {
		return header.equals("x-death") || header.startsWith("x-first-death-") || header.startsWith("x-last-death-")
				|| header.equals("x-delay") || isOfThisDelivery(header);
	}

	private static boolean isOfThisDelivery(String header) {
		return header.equals("x-delivery-count") || header.equals("x-acquired-count") || header.equals("CC")
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
