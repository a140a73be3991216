package io.ojs.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

import io.ojs.event.Transition;
import io.ojs.job.JobError;
import io.ojs.job.Rfc3339;
import org.jspecify.annotations.Nullable;

/**
 * What events tell, in the form in which they do.
 */
final class EventText {

	private static final int MAX_WORKER = 128;

	private EventText() {
	}

	/** A time as it is told. */
	static @Nullable String time(@Nullable Instant instant) {
		return (instant != null) ? Rfc3339.format(Times.utc(instant)) : null;
	}

	/** Names, each with its value behind it. */
	static Map<String, @Nullable Object> mapOf(@Nullable Object... pairs) {
		Map<String, @Nullable Object> map = new LinkedHashMap<>();
		for (int i = 0; i < pairs.length; i += 2) {
			map.put((String) pairs[i], pairs[i + 1]);
		}
		return map;
	}

	/** An error without its backtrace and details. */
	static Map<String, @Nullable Object> brief(@Nullable JobError error) {
		return (error == null) ? mapOf()
				: mapOf("type", error.type(), "code", error.code(), "message", error.message());
	}

	/**
	 * What an event tells of a job beside its type and queue.
	 * @param telling which event
	 * @param row the job, as it is afterwards
	 * @param error what went wrong, if something did
	 * @param now when it happened
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

	/** The milliseconds from one moment to another. */
	static long millis(@Nullable Instant from, Instant to) {
		return (from != null) ? Math.max(0, Duration.between(from, to).toMillis()) : 0;
	}

	/** The name of a worker as it is kept. */
	static String worker(String name) {
		return clip(name, MAX_WORKER);
	}

	/** What people read may be cut, and must be text that a database takes. */
	static String clip(String text, int length) {
		String clean = text.replace('\0', ' ');
		if (clean.length() <= length) {
			return clean;
		}
		return clean.substring(0, Character.isHighSurrogate(clean.charAt(length - 1)) ? length - 1 : length);
	}

}
