package io.ojs.job;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;

import io.ojs.retry.RetryOverrides;
import org.jspecify.annotations.Nullable;

/**
 * A job: the envelope of OJS Core §5. Immutable; values in {@code args}, {@code meta},
 * {@code result} and {@code extensions} are JSON's own: strings, numbers, booleans,
 * nulls, lists and maps with string keys.
 *
 * @param specVersion the version of OJS, {@code "1.0"}
 * @param id a UUIDv7
 * @param type what to do, such as {@code email.send}
 * @param queue where it waits
 * @param args positional arguments for the handler
 * @param meta what travels with the job and is no argument: locale, tenant, trace
 * @param priority −100 to 100, higher first; {@code null} is 0
 * @param timeout how long one attempt may take, in whole seconds; {@code null} is the
 * default of the queue
 * @param scheduledAt not to be run before
 * @param expiresAt not to be started after
 * @param retry what this job asks of the retry policy, over what its queue and handler
 * say
 * @param unique which other jobs it must not meet when it is enqueued; one that came in
 * and cannot be read is among the extensions
 * @param state where the job is in its life
 * @param attempt how often it was started; 0 before the first time
 * @param createdAt when it was enqueued
 * @param enqueuedAt when it became available
 * @param startedAt when it was last started
 * @param completedAt when it ended
 * @param result what the handler returned
 * @param errors its failed attempts, oldest first
 * @param extensions fields that OJS Core does not name; they are kept and written again
 * (OJS JSON Format §9.2)
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
	 * Begins a job.
	 * @param id a UUIDv7
	 * @param type what to do
	 * @param queue where it waits
	 * @return a builder
	 */
	public static JobBuilder builder(String id, String type, String queue) {
		return new JobBuilder(id, type, queue);
	}

	/**
	 * Begins a job that is like this one.
	 * @return a builder with every field of this job
	 */
	public JobBuilder toBuilder() {
		return new JobBuilder(this);
	}

	/**
	 * The version of the arguments (OJS Job Versioning §5).
	 * @return what the extension {@code version} says; {@code null} if there is none
	 * @throws InvalidJobException if it is none
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
