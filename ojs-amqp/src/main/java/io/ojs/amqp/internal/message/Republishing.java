package io.ojs.amqp.internal.message;

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
import io.ojs.deadletter.internal.ReplayMarks;
import io.ojs.handler.internal.JobFailure;
import io.ojs.job.InvalidJobException;
import io.ojs.job.JobError;
import io.ojs.job.internal.ForeignText;
import io.ojs.job.internal.Rfc3339;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a message that is published again: those that it had, except for what
 * has changed (AMQP binding §8.3).
 */
public final class Republishing {

	/**
	 * In characters. The headers of a message must fit into one frame together, which is
	 * 128 KiB by default.
	 */
	private static final int MAX_TEXT = 1000;

	private static final Set<String> ERROR_HEADERS = Set.of(OjsHeaders.ERROR_CODE, OjsHeaders.ERROR_MESSAGE,
			OjsHeaders.ERROR_TYPE, OjsHeaders.ERROR_STACK_HASH, OjsHeaders.ERROR_ROUTING_KEY, OjsHeaders.ERROR_FIRST_AT,
			OjsHeaders.ERROR_AT);

	/** Length of a frame with an empty header table, in bytes. */
	private static final int EMPTY_TABLE = HeaderFrame.size(new BasicProperties.Builder().headers(Map.of()).build());

	private static final int MAX_NAMES = 3;

	private static final int MAX_NAMES_LENGTH = 200;

	/** In bytes; a character of a name takes up to three in UTF-8. */
	private static final int LONGEST_NOTE = 100 + 3 * MAX_NAMES_LENGTH;

	/** In characters; longer than any valid time. */
	private static final int LONGEST_TIME = 64;

	/** AMQP stores a priority in one byte. */
	private static final int HIGHEST_PRIORITY = 255;

	private Republishing() {
	}

	/**
	 * The properties of a message whose job a store keeps. They name the store, so that
	 * every worker recognizes the message as the store's.
	 * @param received the properties as they came, from any producer
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
	 * The properties for the next attempt.
	 * @param expirationMillis how long the message waits in its retry queue
	 * @param frameMax the longest frame of the connection in bytes, 0 for no limit. If
	 * the error does not fit, its headers are left out, since the job's own headers
	 * matter more
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
	 * The properties for an attempt that is not due yet. The headers of earlier errors
	 * stay.
	 * @param attempt the number of the attempt that waits
	 * @param expirationMillis how long the message waits in its retry queue
	 */
	public static BasicProperties forLater(BasicProperties received, int attempt, long expirationMillis) {
		Map<String, Object> headers = sendable(received);
		headers.put(OjsHeaders.ATTEMPT, attempt);
		return persistent(received).headers(headers).expiration(Long.toString(expirationMillis)).build();
	}

	/**
	 * The properties for another worker, which handles this version of the job.
	 * @param attempt the number of the attempt, which has not begun
	 * @param since when the first worker that does not handle the version received the
	 * job
	 * @param expirationMillis how long the message waits in its retry queue
	 */
	public static BasicProperties forOthers(BasicProperties received, int attempt, Instant since,
			long expirationMillis) {
		BasicProperties later = forLater(received, attempt, expirationMillis);
		Map<String, Object> headers = new LinkedHashMap<>(later.getHeaders());
		headers.put(OjsHeaders.HELD_SINCE, Rfc3339.format(since));
		return later.builder().headers(headers).build();
	}

	/**
	 * When the first worker that does not handle the job's version received it.
	 * @return the time in its header; the present if the header is missing, invalid or in
	 * the future
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
			// The header is missing or invalid.
			return now;
		}
	}

	/**
	 * The properties for the dead letter queue.
	 * @param routingKey the routing key of the job's first publish
	 * @param frameMax the longest frame of the connection in bytes, 0 for no limit. If
	 * the error does not fit, the longest headers that came are left out, and the error
	 * message says so
	 */
	public static BasicProperties forDeadLetter(BasicProperties received, JobFailure failure, String routingKey,
			int frameMax) {
		JobError error = failure.error();
		Map<String, Object> headers = headers(received, error);
		if (error.attempt() > 0) {
			headers.put(OjsHeaders.ATTEMPT, error.attempt());
		}
		else {
			// The message is no job. An existing header may explain why, so it stays.
			headers.putIfAbsent(OjsHeaders.ATTEMPT, 1);
		}
		headers.put(OjsHeaders.ERROR_STACK_HASH, failure.stackHash());
		headers.put(OjsHeaders.ERROR_ROUTING_KEY, routingKey);
		headers.put(OjsHeaders.ERROR_FIRST_AT, firstFailure(received, error));
		headers.put(OjsHeaders.ERROR_AT, Rfc3339.format(error.occurredAt()));
		headers.put(OjsHeaders.ERROR_TYPE, cut(error.type()));
		// A dead letter does not expire.
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

	/** In bytes. */
	private static int length(String header, Map<String, Object> headers) {
		return HeaderFrame
			.size(new BasicProperties.Builder().headers(Collections.singletonMap(header, headers.get(header))).build())
				- EMPTY_TABLE;
	}

	/**
	 * The properties for the same attempt in a shard, which keeps jobs in their order.
	 */
	public static BasicProperties forMove(BasicProperties received) {
		return persistent(received).headers(sendable(received)).priority(null).build();
	}

	/**
	 * The time that an earlier retry wrote. Not for a first attempt, which has not failed
	 * before, and not if it is later than this failure.
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
				// The header is invalid.
			}
		}
		return Rfc3339.format(error.occurredAt());
	}

	/**
	 * The properties for a replay, which starts again with the first attempt. They no
	 * longer name a store, so that a store that has deleted the job runs it too.
	 * @param received the properties of the dead letter as they came
	 * @param priority OJS priority, or {@code null} for the one that it has
	 * @return the properties to publish, with attempt 1 and without error headers
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
	 * The properties of a dead letter that a replay puts back at the end of its queue.
	 * @param received the properties of the dead letter as they came
	 * @param frameMax the longest frame of the connection in bytes, 0 for no limit
	 * @return the same properties, with the headers that the broker wrote about its
	 * death. The priority moves to a header if the frame has room for it
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
	 * Headers in which the broker records earlier deliveries: a broker ignores them in a
	 * publish, or takes them for a dead-letter cycle. Also headers that would delay the
	 * message or route it to further queues.
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
		return (text.length() <= MAX_TEXT) ? text : ForeignText.beginning(text, MAX_TEXT) + "…";
	}

}
