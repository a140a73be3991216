package io.ojs.internal.json;

import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.internal.Rfc3339;
import io.ojs.retry.RetryOverrides;
import org.jspecify.annotations.Nullable;

/**
 * Writes the envelope as a JSON object (OJS JSON Format §3): required fields first,
 * without fields that are not set.
 */
public final class EnvelopeWriter {

	private EnvelopeWriter() {
	}

	static Map<String, @Nullable Object> write(Job job) {
		Map<String, @Nullable Object> envelope = new LinkedHashMap<>();
		envelope.put("specversion", job.specVersion());
		envelope.put("id", job.id());
		envelope.put("type", job.type());
		envelope.put("queue", job.queue());
		envelope.put("args", job.args());
		putUnlessEmpty(envelope, "meta", job.meta());
		put(envelope, "priority", job.priority());
		put(envelope, "timeout", (job.timeout() != null) ? job.timeout().toSeconds() : null);
		put(envelope, "scheduled_at", time(job.scheduledAt()));
		put(envelope, "expires_at", time(job.expiresAt()));
		put(envelope, "retry", (job.retry() != null) ? retry(job.retry()) : null);
		put(envelope, "unique", (job.unique() != null) ? UniquePolicyJson.write(job.unique()) : null);
		put(envelope, "state", (job.state() != null) ? job.state().wireName() : null);
		envelope.put("attempt", job.attempt());
		put(envelope, "created_at", time(job.createdAt()));
		put(envelope, "enqueued_at", time(job.enqueuedAt()));
		put(envelope, "started_at", time(job.startedAt()));
		put(envelope, "completed_at", time(job.completedAt()));
		put(envelope, "result", job.result());
		if (!job.errors().isEmpty()) {
			envelope.put("errors", job.errors().stream().map(EnvelopeWriter::error).toList());
		}
		job.extensions().forEach(envelope::putIfAbsent);
		return envelope;
	}

	static Map<String, @Nullable Object> retry(RetryOverrides retry) {
		Map<String, @Nullable Object> object = RetryPolicyJson.write(retry);
		retry.extensions().forEach(object::putIfAbsent);
		return object;
	}

	/** Writes an error as a JSON object. */
	public static Map<String, @Nullable Object> error(JobError error) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("type", error.type());
		object.put("code", error.code());
		object.put("message", error.message());
		object.put("attempt", error.attempt());
		object.put("occurred_at", time(error.occurredAt()));
		putUnlessEmpty(object, "backtrace", error.backtrace());
		putUnlessEmpty(object, "details", error.details());
		if (!error.causes().isEmpty()) {
			object.put("causes", ErrorCauseJson.write(error.causes()));
		}
		return object;
	}

	private static void put(Map<String, @Nullable Object> object, String name, @Nullable Object value) {
		if (value != null) {
			object.put(name, value);
		}
	}

	private static void putUnlessEmpty(Map<String, @Nullable Object> object, String name, Map<?, ?> value) {
		if (!value.isEmpty()) {
			object.put(name, value);
		}
	}

	private static void putUnlessEmpty(Map<String, @Nullable Object> object, String name, List<?> value) {
		if (!value.isEmpty()) {
			object.put(name, value);
		}
	}

	private static @Nullable String time(@Nullable OffsetDateTime time) {
		return (time != null) ? Rfc3339.format(time) : null;
	}

}
