package io.ojs.job;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.ojs.job.internal.JobRules;
import io.ojs.job.internal.Rfc3339;
import io.ojs.job.internal.VersionedType;
import io.ojs.retry.RetryOverrides;
import org.jspecify.annotations.Nullable;

/**
 * A request to enqueue a job: a type, arguments, and the settings that differ from the
 * defaults. Immutable; each method returns a changed copy, so a request can serve as a
 * template. {@code enqueue} checks the request; the methods here only reject values that
 * a request cannot represent.
 *
 * <pre>{@code
 * ojs.enqueue(JobRequest.of("email.send", "user@example.com", "welcome").queue("email").priority(10));
 * }</pre>
 * <p>
 * Use {@link #of} and the methods that change a copy: the constructor changes when a
 * component is added.
 *
 * @param type the name that selects the handler, such as {@code email.send}; a version
 * after it, as in {@code email.send@2.0}, is removed and means the same as
 * {@link #version}
 * @param args positional arguments: strings, numbers, booleans, null, enums, dates,
 * records and other beans, lists and maps of them
 * @param id the id of the job, a UUIDv7; {@code null} to generate one
 * @param queue the queue in which the job waits; {@code null} for the queue of the type's
 * handler in this application, or {@code default}
 * @param meta data beside the arguments
 * @param priority −100 to 100, higher first; {@code null} is 0
 * @param timeout how long one attempt may take, in whole seconds
 * @param scheduledAt the time before which the job does not run, in the years 0000 to
 * 9999
 * @param expiresAt the time after which the job does not start, in the years 0000 to 9999
 * @param retry the settings that differ from the retry policy of the queue and handler
 * @param unique which other jobs block this one from being enqueued; {@code null} for
 * none
 * @param extensions further fields of the envelope, of later or other specifications
 */
public record JobRequest(String type, List<@Nullable Object> args, @Nullable String id, @Nullable String queue,
		Map<String, @Nullable Object> meta, @Nullable Integer priority, @Nullable Duration timeout,
		@Nullable OffsetDateTime scheduledAt, @Nullable OffsetDateTime expiresAt, @Nullable RetryOverrides retry,
		@Nullable UniquePolicy unique, Map<String, @Nullable Object> extensions) {

	/** The field that makes the new job pending; a boolean. */
	public static final String PENDING = "pending";

	public JobRequest {
		time("scheduled_at", scheduledAt);
		time("expires_at", expiresAt);
		args = Collections.unmodifiableList(args);
		meta = Collections.unmodifiableMap(new LinkedHashMap<>(meta));
		Map<String, @Nullable Object> more = new LinkedHashMap<>(extensions);
		if (type != null && type.indexOf('@') >= 0) {
			VersionedType versioned = VersionedType.split(type);
			type = versioned.type();
			// An explicit version in the extensions wins; absent or null does not count
			// as one.
			more.putIfAbsent(JobVersion.FIELD, versioned.version());
		}
		extensions = Collections.unmodifiableMap(more);
	}

	/**
	 * Creates a request for a job of a type with these arguments and defaults for the
	 * rest.
	 * @param type the name that selects the handler
	 * @param args positional arguments
	 * @return the request
	 */
	public static JobRequest of(String type, @Nullable Object... args) {
		// Java passes a null array for of(type, null), which means one null argument.
		List<@Nullable Object> list = (args != null) ? Arrays.asList(args.clone()) : Collections.singletonList(null);
		return new JobRequest(type, list, null, null, Map.of(), null, null, null, null, null, null, Map.of());
	}

	/**
	 * Sets the id, so that the caller knows it before the job is enqueued.
	 * @param value a UUIDv7
	 * @return a copy with the id
	 */
	public JobRequest id(String value) {
		return new JobRequest(this.type, this.args, value, this.queue, this.meta, this.priority, this.timeout,
				this.scheduledAt, this.expiresAt, this.retry, this.unique, this.extensions);
	}

	/**
	 * Sets the queue.
	 * @param value the name of the queue
	 * @return a copy with the queue
	 */
	public JobRequest queue(String value) {
		return new JobRequest(this.type, this.args, this.id, value, this.meta, this.priority, this.timeout,
				this.scheduledAt, this.expiresAt, this.retry, this.unique, this.extensions);
	}

	/**
	 * Adds an entry to {@code meta}.
	 * @param key the key
	 * @param value a JSON value, or an object that can be converted to one
	 * @return a copy with the entry
	 */
	public JobRequest meta(String key, @Nullable Object value) {
		Map<String, @Nullable Object> changed = new LinkedHashMap<>(this.meta);
		changed.put(key, value);
		return new JobRequest(this.type, this.args, this.id, this.queue, changed, this.priority, this.timeout,
				this.scheduledAt, this.expiresAt, this.retry, this.unique, this.extensions);
	}

	/**
	 * Sets the tags of the job, {@code meta.tags}.
	 * @param tags the tags
	 * @return a copy with the tags
	 */
	public JobRequest tags(String... tags) {
		return meta("tags", List.of(tags));
	}

	/**
	 * Sets the priority.
	 * @param value −100 to 100; higher runs first, as far as the queue supports
	 * priorities
	 * @return a copy with the priority
	 */
	public JobRequest priority(int value) {
		return new JobRequest(this.type, this.args, this.id, this.queue, this.meta, value, this.timeout,
				this.scheduledAt, this.expiresAt, this.retry, this.unique, this.extensions);
	}

	/**
	 * Sets how long one attempt may take.
	 * @param value whole seconds, at least one
	 * @return a copy with the timeout
	 */
	public JobRequest timeout(Duration value) {
		return new JobRequest(this.type, this.args, this.id, this.queue, this.meta, this.priority, value,
				this.scheduledAt, this.expiresAt, this.retry, this.unique, this.extensions);
	}

	/**
	 * Schedules the job for a time.
	 * @param value the time
	 * @return a copy that is scheduled
	 * @throws InvalidJobException if the time is not in the years 0000 to 9999
	 */
	public JobRequest scheduledAt(Instant value) {
		return scheduledAt(time("scheduled_at", value));
	}

	/**
	 * Schedules the job for a time.
	 * @param value the time
	 * @return a copy that is scheduled
	 * @throws InvalidJobException if the time is not in the years 0000 to 9999, or its
	 * offset is not in whole minutes
	 */
	public JobRequest scheduledAt(OffsetDateTime value) {
		return new JobRequest(this.type, this.args, this.id, this.queue, this.meta, this.priority, this.timeout, value,
				this.expiresAt, this.retry, this.unique, this.extensions);
	}

	/**
	 * Schedules the job for a time.
	 * @param value RFC 3339 with a zone
	 * @return a copy that is scheduled
	 * @throws InvalidJobException if the text has no zone or is not a timestamp
	 */
	public JobRequest scheduledAt(String value) {
		return scheduledAt(Rfc3339.parse("scheduled_at", value));
	}

	/**
	 * Sets the time at which the job becomes a dead letter unless it has started.
	 * @param value the time
	 * @return a copy that expires
	 * @throws InvalidJobException if the time is not in the years 0000 to 9999
	 */
	public JobRequest expiresAt(Instant value) {
		return expiresAt(time("expires_at", value));
	}

	/**
	 * Sets the time at which the job becomes a dead letter unless it has started.
	 * @param value the time
	 * @return a copy that expires
	 * @throws InvalidJobException if the time is not in the years 0000 to 9999, or its
	 * offset is not in whole minutes
	 */
	public JobRequest expiresAt(OffsetDateTime value) {
		return new JobRequest(this.type, this.args, this.id, this.queue, this.meta, this.priority, this.timeout,
				this.scheduledAt, value, this.retry, this.unique, this.extensions);
	}

	/**
	 * Sets the time at which the job becomes a dead letter unless it has started.
	 * @param value RFC 3339 with a zone
	 * @return a copy that expires
	 * @throws InvalidJobException if the text has no zone or is not a timestamp
	 */
	public JobRequest expiresAt(String value) {
		return expiresAt(Rfc3339.parse("expires_at", value));
	}

	/**
	 * Changes the retry policy for this job.
	 * @param change sets values, such as {@code retry -> retry.maxAttempts(5)}
	 * @return a copy with the change
	 */
	public JobRequest retry(UnaryOperator<RetryOverrides> change) {
		RetryOverrides current = (this.retry != null) ? this.retry : RetryOverrides.NONE;
		return new JobRequest(this.type, this.args, this.id, this.queue, this.meta, this.priority, this.timeout,
				this.scheduledAt, this.expiresAt, change.apply(current), this.unique, this.extensions);
	}

	/**
	 * Makes the job unique: it is enqueued only if there is no other job like it. Needs a
	 * job store.
	 * @param value which other jobs block this one from being enqueued; {@code null} for
	 * none
	 * @return a copy with the policy
	 */
	public JobRequest unique(@Nullable UniquePolicy value) {
		return new JobRequest(this.type, this.args, this.id, this.queue, this.meta, this.priority, this.timeout,
				this.scheduledAt, this.expiresAt, this.retry, value, this.extensions);
	}

	/**
	 * Makes the job unique: it is enqueued only if there is no other job like it. Needs a
	 * job store.
	 * @param change sets values, such as {@code unique -> unique.argsKeys("number")};
	 * without any change, only one job of its type and version that has not ended can
	 * exist
	 * @return a copy with the change
	 */
	public JobRequest unique(UnaryOperator<UniquePolicy> change) {
		return unique(change.apply((this.unique != null) ? this.unique : UniquePolicy.DEFAULT));
	}

	/**
	 * Limits how many jobs with the same key run at once or start in a period. Needs a
	 * job store.
	 * @param value the limit
	 * @return a copy with the limit
	 */
	public JobRequest rateLimit(RateLimit value) {
		return extension(RateLimit.FIELD, value);
	}

	/**
	 * Sets the version of the arguments: only handlers that take this version run the job
	 * (OJS Job Versioning §5).
	 * @param value {@code major.minor}, such as {@code 2.0}
	 * @return a copy with the version
	 */
	public JobRequest version(String value) {
		return extension(JobVersion.FIELD, value);
	}

	/**
	 * Makes the job pending: it waits until an application activates it (OJS Core §6.1).
	 * Needs a job store.
	 * @return a copy that is pending
	 */
	public JobRequest pending() {
		return extension(PENDING, true);
	}

	/**
	 * Adds a field to the envelope that this class does not have.
	 * @param field the name of the field
	 * @param value a JSON value, or an object that can be converted to one
	 * @return a copy with the field
	 */
	public JobRequest extension(String field, @Nullable Object value) {
		Map<String, @Nullable Object> changed = new LinkedHashMap<>(this.extensions);
		changed.put(field, value);
		return new JobRequest(this.type, this.args, this.id, this.queue, this.meta, this.priority, this.timeout,
				this.scheduledAt, this.expiresAt, this.retry, this.unique, changed);
	}

	private static void time(String field, @Nullable OffsetDateTime value) {
		if (value != null) {
			JobRules.time(field, value);
		}
	}

	private static OffsetDateTime time(String field, Instant value) {
		try {
			return Rfc3339.utc(value);
		}
		catch (DateTimeException ex) {
			throw new InvalidJobException(field, value, "must lie in the years 0000 to 9999", ex);
		}
	}

}
