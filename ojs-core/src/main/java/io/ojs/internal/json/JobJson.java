package io.ojs.internal.json;

import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;

import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * Writes a job for clients of the HTTP API (OJS HTTP Binding §9): the envelope, and
 * further fields that specifications use, such as {@code error}, {@code timeout_ms} or
 * {@code cancelled_at}.
 */
public final class JobJson {

	private JobJson() {
	}

	/** Writes a job. */
	public static Map<String, @Nullable Object> of(Job job, int maxAttempts) {
		Map<String, @Nullable Object> object = EnvelopeWriter.write(job);
		object.putIfAbsent("meta", Map.of());
		object.putIfAbsent("priority", 0);
		object.put("max_attempts", maxAttempts);
		if (job.timeout() != null) {
			object.put("timeout_ms", job.timeout().toMillis());
		}
		if (!job.tags().isEmpty()) {
			object.put("tags", job.tags());
		}
		asGiven("scheduled_at", job.scheduledAt(), object);
		asGiven("expires_at", job.expiresAt(), object);
		end(job, object);
		List<JobError> errors = job.errors();
		if (!errors.isEmpty() && job.state() != JobState.COMPLETED) {
			object.put("error", EnvelopeWriter.error(errors.get(errors.size() - 1)));
		}
		return object;
	}

	/** Writes a time without a fraction if the caller gave none. */
	private static void asGiven(String field, @Nullable OffsetDateTime time, Map<String, @Nullable Object> object) {
		if (time != null && time.getNano() == 0) {
			object.put(field, DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time));
		}
	}

	/**
	 * Removes {@code completed_at} from a job that was cancelled, handed over or never
	 * begun; a job that was discarded after a run keeps it.
	 */
	private static void end(Job job, Map<String, @Nullable Object> object) {
		Object endedAt = object.get("completed_at");
		boolean handedOver = job.state() == JobState.HANDED_OVER;
		if (job.state() == JobState.CANCELLED || handedOver || job.startedAt() == null) {
			object.remove("completed_at");
		}
		if (endedAt != null && handedOver) {
			object.put("handed_over_at", endedAt);
		}
		if (endedAt != null && (job.state() == JobState.CANCELLED || job.state() == JobState.DISCARDED)) {
			object.put((job.state() == JobState.CANCELLED) ? "cancelled_at" : "discarded_at", endedAt);
		}
	}

}
