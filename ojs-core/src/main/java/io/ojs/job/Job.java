package io.ojs.job;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;

import io.ojs.job.internal.JobRules;
import io.ojs.retry.RetryOverrides;
import org.jspecify.annotations.Nullable;

/**
 * A job: the envelope of OJS Core §5. Immutable. The values in {@code args},
 * {@code meta}, {@code result} and {@code extensions} are those of JSON: strings,
 * numbers, booleans, nulls, lists and maps with string keys.
 * <p>
 * Use the builder, {@link #builder}: the constructor changes when a component is added.
 *
 * @param specVersion the version of OJS, {@code "1.0"}
 * @param id a UUIDv7
 * @param type the name that selects the handler, such as {@code email.send}
 * @param queue the queue in which the job waits
 * @param args positional arguments for the handler
 * @param meta data beside the arguments: locale, tenant, trace
 * @param priority −100 to 100, higher first; {@code null} is 0
 * @param timeout how long one attempt may take, in whole seconds; {@code null} is the
 * default of the queue
 * @param scheduledAt the time before which the job does not run
 * @param expiresAt the time after which the job does not start
 * @param retry the settings of the retry policy that this job overrides; they win over
 * those of its queue and its handler
 * @param unique which other jobs block this one from being enqueued; a policy from
 * another producer that cannot be read is among the extensions
 * @param state the state of the job
 * @param attempt how often the job was started; 0 before the first time
 * @param createdAt when the job was enqueued
 * @param enqueuedAt when the job became available
 * @param startedAt when the job was last started
 * @param completedAt when the job ended
 * @param result the value that the handler returned
 * @param errors the errors of failed attempts, the oldest first
 * @param extensions fields that OJS Core does not name; the library keeps them and writes
 * them again (OJS JSON Format §9.2)
 */
public record Job(String specVersion, String id, String type, String queue, List<@Nullable Object> args,
		Map<String, @Nullable Object> meta, @Nullable Integer priority, @Nullable Duration timeout,
		@Nullable OffsetDateTime scheduledAt, @Nullable OffsetDateTime expiresAt, @Nullable RetryOverrides retry,
		@Nullable UniquePolicy unique, @Nullable JobState state, int attempt, @Nullable OffsetDateTime createdAt,
		@Nullable OffsetDateTime enqueuedAt, @Nullable OffsetDateTime startedAt, @Nullable OffsetDateTime completedAt,
		@Nullable Object result, List<JobError> errors, Map<String, @Nullable Object> extensions) {

	public Job {
		specVersion = JobRules.specVersion(specVersion);
		id = JobRules.id(id);
		type = JobRules.type(type);
		queue = JobRules.queue(queue);
		args = JsonCopies.list(args);
		meta = JsonCopies.map(meta);
		if (priority != null) {
			JobRules.priority(priority);
		}
		if (timeout != null) {
			JobRules.timeout(timeout);
		}
		time("scheduled_at", scheduledAt);
		time("expires_at", expiresAt);
		time("created_at", createdAt);
		time("enqueued_at", enqueuedAt);
		time("started_at", startedAt);
		time("completed_at", completedAt);
		if (attempt < 0) {
			throw new InvalidJobException("attempt", attempt, "must not be negative");
		}
		errors = List.copyOf(errors);
		extensions = JsonCopies.map(JobRules.extensions(extensions));
		if (unique != null) {
			unique.check();
			if (extensions.containsKey("unique")) {
				throw new InvalidJobException("unique", extensions.get("unique"),
						"must not be set as an extension of a job that has it as a field");
			}
		}
	}

	private static void time(String field, @Nullable OffsetDateTime value) {
		if (value != null) {
			JobRules.time(field, value);
		}
	}

	/**
	 * Creates a builder for a job.
	 * @param id a UUIDv7
	 * @param type the name that selects the handler
	 * @param queue the queue in which the job waits
	 * @return a builder
	 */
	public static JobBuilder builder(String id, String type, String queue) {
		return new JobBuilder(id, type, queue);
	}

	/**
	 * Creates a builder with the values of this job.
	 * @return a builder with every field of this job
	 */
	public JobBuilder toBuilder() {
		return new JobBuilder(this);
	}

	/**
	 * The version of the arguments (OJS Job Versioning §5).
	 * @return the version in the extension {@code version}; {@code null} if there is none
	 * @throws InvalidJobException if the extension is not a version
	 */
	public @Nullable JobVersion version() {
		return JobVersion.of(this.extensions.get(JobVersion.FIELD));
	}

	/**
	 * The tags of the job, {@code meta.tags}.
	 * @return the tags that are strings; empty without any
	 */
	public List<String> tags() {
		return (this.meta.get("tags") instanceof List<?> tags)
				? tags.stream().filter(String.class::isInstance).map(String.class::cast).toList() : List.of();
	}

}
