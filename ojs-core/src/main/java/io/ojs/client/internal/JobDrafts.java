package io.ojs.client.internal;

import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.ojs.handler.internal.JobHandlerDefinition;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.internal.json.JsonValues;
import io.ojs.internal.json.RateLimitJson;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobIdGenerator;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.job.JobVersion;
import io.ojs.job.RateLimit;
import io.ojs.job.UniqueDimension;
import io.ojs.job.UniquePolicy;
import io.ojs.job.internal.JobRules;
import org.jspecify.annotations.Nullable;

/**
 * Creates jobs from requests before any middleware sees them: fills in missing fields and
 * converts values to JSON values.
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

	/**
	 * Takes over what a middleware has changed in a job, except the fields that a
	 * middleware must not change.
	 */
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

	/** The queue of the request, or that of the handler. */
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

	/**
	 * Two jobs without a version are alike in it, so their policies do not compare it.
	 */
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
						"must be set by JobRequest.unique and not as an extension, which would have no effect");
			}
			if (field.equals(JobRequest.PENDING)) {
				// This field requests a state, and the envelope has a field for the
				// state.
				return;
			}
			// Only for its checks of text: the name of the field is sent too.
			this.values.toJson("extensions", field);
			converted.put(field, (value instanceof RateLimit limit) ? RateLimitJson.write(limit.check())
					: this.values.toJson(field, value));
		});
		return converted;
	}

}
