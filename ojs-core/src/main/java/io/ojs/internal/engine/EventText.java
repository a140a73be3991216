package io.ojs.internal.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

import io.ojs.event.internal.Transition;
import io.ojs.job.JobError;
import io.ojs.job.internal.ForeignText;
import io.ojs.job.internal.Rfc3339;
import org.jspecify.annotations.Nullable;

/**
 * The data of events, in the format of the feed.
 */
final class EventText {

	private static final int MAX_WORKER = 128;

	private EventText() {
	}

	/** Returns a time in the format of events. */
	static @Nullable String time(@Nullable Instant instant) {
		return (instant != null) ? Rfc3339.format(Times.utc(instant)) : null;
	}

	/** Returns a mutable map of alternating names and values. */
	static Map<String, @Nullable Object> mapOf(@Nullable Object... pairs) {
		Map<String, @Nullable Object> map = new LinkedHashMap<>();
		for (int i = 0; i < pairs.length; i += 2) {
			map.put((String) pairs[i], pairs[i + 1]);
		}
		return map;
	}

	/** Returns an error without its backtrace and details. */
	static Map<String, @Nullable Object> brief(@Nullable JobError error) {
		return (error == null) ? mapOf()
				: mapOf("type", error.type(), "code", error.code(), "message", error.message());
	}

	/**
	 * Returns the data of an event, without the type and queue of its job.
	 * @param row the job after the transition
	 * @param error the error, if there is one
	 */
	static Map<String, @Nullable Object> data(Transition.Telling telling, JobRow row, @Nullable JobError error,
			Instant now) {
		return switch (telling) {
			case ENQUEUED -> (row.uniqueKey != null) ? mapOf("priority", row.priority, "unique_key", row.uniqueKey)
					: mapOf("priority", row.priority);
			case SCHEDULED -> mapOf("scheduled_at", time(row.dueAt));
			case STARTED -> mapOf("worker_id", row.worker, "attempt", row.attempt);
			case COMPLETED -> mapOf("duration_ms", millis(row.startedAt, now), "attempt", row.attempt);
			case FAILED -> {
				Map<String, @Nullable Object> told = brief(error);
				told.put("retryable", !row.state.isTerminal());
				yield mapOf("attempt", row.attempt, "error", told, "duration_ms", millis(row.startedAt, now));
			}
			case RETRYING -> mapOf("attempt", row.attempt, "max_attempts", row.maxAttempts, "next_retry_at",
					time(row.dueAt), "error", brief(error));
			case RETRY_EXHAUSTED, DISCARDED -> mapOf("total_attempts", row.attempt, "last_error", brief(error));
			case DEAD_LETTERED -> mapOf("total_attempts", row.attempt, "last_error", brief(error), "dead_letter_queue",
					row.deadLetterQueue);
			case EXPIRED -> mapOf("created_at", time(row.createdAt), "expired_at", time(now), "ttl_ms",
					millis(row.createdAt, (row.expiresAt != null) ? row.expiresAt : now));
			case CANCELLED, HANDED_OVER -> mapOf();
		};
	}

	/** Returns the milliseconds between two times, at least 0. */
	static long millis(@Nullable Instant from, Instant to) {
		return (from != null) ? Math.max(0, Duration.between(from, to).toMillis()) : 0;
	}

	/** Returns the name of a worker as rows have it. */
	static String worker(String name) {
		return clip(name, MAX_WORKER);
	}

	/**
	 * Shortens text for people to a length that a column has, and replaces U+0000, which
	 * a database may refuse.
	 */
	static String clip(String text, int length) {
		return ForeignText.beginning(text.replace('\0', ' '), length);
	}

}
