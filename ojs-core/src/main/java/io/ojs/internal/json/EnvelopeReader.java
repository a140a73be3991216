package io.ojs.internal.json;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobBuilder;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.job.JobVersion;
import io.ojs.job.internal.JobRules;
import io.ojs.job.internal.Rfc3339;
import io.ojs.job.internal.VersionedType;
import org.jspecify.annotations.Nullable;

/**
 * Reads the envelope from a JSON object (OJS JSON Format §3). Lenient where
 * specifications differ: a missing {@code specversion} means 1.0, a missing {@code queue}
 * means {@code default}, and {@code max_retries} and {@code timestamp} are accepted.
 */
final class EnvelopeReader {

	private EnvelopeReader() {
	}

	static Job read(Map<String, @Nullable Object> envelope) {
		JsonFields fields = new JsonFields(envelope, InvalidJobException::new);
		String specVersion = fields.string("specversion");
		String queue = fields.string("queue");
		String id = require(fields, "id");
		VersionedType type = VersionedType.split(require(fields, "type"));
		JobBuilder job = Job.builder(id, type.type(), (queue != null) ? queue : JobRules.DEFAULT_QUEUE);
		if (specVersion != null) {
			job.specVersion(specVersion);
		}
		job.args(args(fields));
		Map<String, @Nullable Object> meta = fields.object("meta");
		if (meta != null) {
			job.meta(meta);
		}
		job.priority(fields.integer("priority"))
			.timeout(timeout(fields))
			.scheduledAt(fields.time("scheduled_at"))
			.expiresAt(fields.time("expires_at"))
			.retry(RetryJson.read(fields.nested("retry")));
		unique(fields, job);
		String state = fields.string("state");
		Integer attempt = fields.integer("attempt");
		job.state((state != null) ? JobState.fromWire(state) : null)
			.attempt((attempt != null) ? attempt : 0)
			.createdAt(fields.time("created_at"))
			.enqueuedAt(fields.time("enqueued_at"))
			.startedAt(fields.time("started_at"))
			.completedAt(fields.time("completed_at"))
			.result(fields.any("result"))
			.errors(fields.nestedList("errors", EnvelopeReader::error));
		return job.extensions(extensions(fields, type)).build();
	}

	/**
	 * All other fields stay with the job unchanged. The version has a meaning here, so it
	 * is checked.
	 */
	private static Map<String, @Nullable Object> extensions(JsonFields fields, VersionedType type) {
		Map<String, @Nullable Object> extensions = new LinkedHashMap<>(fields.leftOver());
		if (type.version() != null) {
			extensions.putIfAbsent(JobVersion.FIELD, type.version());
		}
		JobVersion.of(extensions.get(JobVersion.FIELD));
		return extensions;
	}

	private static String require(JsonFields fields, String name) {
		String value = fields.string(name);
		if (value == null) {
			throw new InvalidJobException(name, null, "is required");
		}
		return value;
	}

	private static List<@Nullable Object> args(JsonFields fields) {
		List<@Nullable Object> args = fields.array("args");
		if (args == null) {
			throw new InvalidJobException("args", null, "is required and must be an array");
		}
		return args;
	}

	private static @Nullable Duration timeout(JsonFields fields) {
		Integer seconds = fields.integer("timeout");
		// OJS Core §5.2: 0 means that the default applies.
		return (seconds != null && seconds != 0) ? Duration.ofSeconds(seconds) : null;
	}

	private static JobError error(JsonFields fields) {
		String type = fields.string("type");
		String code = fields.string("code");
		String message = fields.string("message");
		Integer attempt = fields.integer("attempt");
		String time = fields.has("occurred_at") ? "occurred_at" : "timestamp";
		var occurredAt = fields.time(time);
		List<String> backtrace = fields.strings("backtrace");
		Map<String, @Nullable Object> details = fields.object("details");
		return new JobError((type != null) ? type : "unknown", (code != null) ? code : JobError.HANDLER_ERROR,
				(message != null) ? message : "", (attempt != null) ? attempt : 0,
				(occurredAt != null) ? occurredAt : Rfc3339.utc(Instant.EPOCH),
				(backtrace != null) ? backtrace : List.of(), (details != null) ? details : Map.of(),
				ErrorCauseJson.read(fields.any("causes")));
	}

	/**
	 * An invalid policy is no reason to reject a job that is already enqueued, because a
	 * policy only matters to enqueueing. The field stays among the extensions.
	 */
	private static void unique(JsonFields fields, JobBuilder job) {
		try {
			Object unique = fields.peek("unique");
			job.unique((unique != null) ? UniquePolicyJson.read(unique) : null);
			fields.any("unique");
		}
		catch (InvalidJobException ex) {
			job.unique(null);
		}
	}

}
