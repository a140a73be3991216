package io.ojs.client;

import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.ojs.handler.JobHandlerDefinition;
import io.ojs.handler.JobHandlers;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobIdGenerator;
import io.ojs.job.JobRequest;
import io.ojs.job.JobRules;
import io.ojs.job.JobState;
import io.ojs.job.JobVersion;
import io.ojs.job.RateLimit;
import io.ojs.job.UniqueDimension;
import io.ojs.job.UniquePolicy;
import io.ojs.json.JsonValues;
import io.ojs.json.RateLimitJson;
import org.jspecify.annotations.Nullable;

/**
 * Jobs before anything is done with them: what was left out is filled in, and values are
 * JSON's own.
 */
final class JobDrafts {

	private final JobHandlers handlers;

	private final JsonValues values;

	private final JobIdGenerator ids;

	JobDrafts(JobHandlers handlers, JsonValues values, JobIdGenerator ids) {
		this.handlers = handlers;
		this.values = values;
		this.ids = ids;
	}

	/** A job out of a request. */
	Job draft(JobRequest request, OffsetDateTime now) {
		String type = JobRules.type(request.type());
		boolean later = request.scheduledAt() != null && request.scheduledAt().isAfter(now);
		return Job.builder((request.id() != null) ? request.id() : this.ids.next(), type, queue(request))
			.args(args(request.args()))
			.meta(meta(request.meta()))
			.priority(request.priority())
			.timeout(request.timeout())
			.scheduledAt(request.scheduledAt())
			.expiresAt(request.expiresAt())
			.retry(request.retry())
			.unique(unique(request.unique(), request.extensions()))
			.state(state(request, later))
			.createdAt(now)
			.enqueuedAt(now)
			.extensions(extensions(request.extensions()))
			.build();
	}

	/** What a middleware has made of a job, without what it has no business with. */
	Job changed(Job before, Job after, OffsetDateTime now) {
		boolean later = after.scheduledAt() != null && after.scheduledAt().isAfter(now);
		JobState waiting = later ? JobState.SCHEDULED : JobState.AVAILABLE;
		return before.toBuilder()
			.type(after.type())
			.queue(after.queue())
			.args(args(after.args()))
			.meta(meta(after.meta()))
			.priority(after.priority())
			.timeout(after.timeout())
			.scheduledAt(after.scheduledAt())
			.expiresAt(after.expiresAt())
			.retry(after.retry())
			.unique(unique(after.unique(), after.extensions()))
			.state((before.state() == JobState.PENDING) ? JobState.PENDING : waiting)
			.extensions(extensions(after.extensions()))
			.build();
	}

	private static JobState state(JobRequest request, boolean later) {
		Object pending = request.extensions().get(JobRequest.PENDING);
		if (pending != null && !(pending instanceof Boolean)) {
			throw new InvalidJobException(JobRequest.PENDING, pending, "must be true or false");
		}
		if (Boolean.TRUE.equals(pending)) {
			return JobState.PENDING;
		}
		return later ? JobState.SCHEDULED : JobState.AVAILABLE;
	}

	/** The one that was asked for, or that of the handler. */
	String queue(JobRequest request) {
		if (request.queue() != null) {
			return request.queue();
		}
		JobVersion version = JobVersion.of(request.extensions().get(JobVersion.FIELD));
		return this.handlers.find(request.type(), version)
			.or(() -> this.handlers.find(request.type()))
			.map(JobHandlerDefinition::queue)
			.orElse(JobRules.DEFAULT_QUEUE);
	}

	/** What there is not is not said to be compared. */
	private static @Nullable UniquePolicy unique(@Nullable UniquePolicy unique,
			Map<String, @Nullable Object> extensions) {
		return (unique != null && extensions.get(JobVersion.FIELD) == null) ? unique.without(UniqueDimension.VERSION)
				: unique;
	}

	private List<@Nullable Object> args(List<@Nullable Object> args) {
		return this.values.toJsonArray("args", args);
	}

	@SuppressWarnings("unchecked")
	private Map<String, @Nullable Object> meta(Map<String, @Nullable Object> meta) {
		return (Map<String, @Nullable Object>) Objects.requireNonNull(this.values.toJson("meta", meta));
	}

	private Map<String, @Nullable Object> extensions(Map<String, @Nullable Object> extensions) {
		Map<String, @Nullable Object> converted = new LinkedHashMap<>();
		extensions.forEach((field, value) -> {
			if (field.equals("unique")) {
				throw new InvalidJobException(field, value,
						"must be set by JobRequest.unique and not as an extension, which nobody would honour");
			}
			if (field.equals(JobRequest.PENDING)) {
				// Asks for a state, which the envelope tells by itself.
				return;
			}
			// For its check of text: the name of a field goes over the wire too.
			this.values.toJson("extensions", field);
			converted.put(field, (value instanceof RateLimit limit) ? RateLimitJson.write(limit.check())
					: this.values.toJson(field, value));
		});
		return converted;
	}

}
