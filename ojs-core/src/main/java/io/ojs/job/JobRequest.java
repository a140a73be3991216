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

import io.ojs.retry.RetryOverrides;
import org.jspecify.annotations.Nullable;

/**
 * What a caller asks for: a type, arguments, and whatever differs from the defaults.
 * Immutable; each method gives a changed copy, so that a request can serve as a template.
 * Nothing is checked before it is enqueued, except what cannot be held otherwise.
 *
 * <pre>{@code
 * ojs.enqueue(JobRequest.of("email.send", "user@example.com", "welcome").queue("email").priority(10));
 * }</pre>
 *
 * @param type what to do, such as {@code email.send}; a version behind it, as in
 * {@code email.send@2.0}, is taken off and means the same as {@link #version}
 * @param args positional arguments: strings, numbers, booleans, null, enums, dates,
 * records and other beans, lists and maps of them
 * @param id the id of the job, a UUIDv7; {@code null} to have one made
 * @param queue where the job waits; {@code null} for the queue of the type's handler
 * here, or {@code default}
 * @param meta what travels with the job and is no argument
 * @param priority −100 to 100, higher first; {@code null} is 0
 * @param timeout how long one attempt may take, in whole seconds
 * @param scheduledAt not to be run before
 * @param expiresAt not to be started after
 * @param retry what differs from the retry policy of the queue and handler
 * @param unique which other jobs it must not meet; {@code null} if it may meet any
 * @param extensions further fields of the envelope, of later or other specifications
 */
public record JobRequest(String type, List<@Nullable Object> args, @Nullable String id, @Nullable String queue,
		Map<String, @Nullable Object> meta, @Nullable Integer priority, @Nullable Duration timeout,
		@Nullable OffsetDateTime scheduledAt, @Nullable OffsetDateTime expiresAt, @Nullable RetryOverrides retry,
		@Nullable UniquePolicy unique, Map<String, @Nullable Object> extensions) {

	/** Field by which a request asks for a job that is pending; a boolean. */
	public static final String PENDING = "pending";

	public JobRequest {
		args = Collections.unmodifiableList(args);
		meta = Collections.unmodifiableMap(new LinkedHashMap<>(meta));
		Map<String, @Nullable Object> more = new LinkedHashMap<>(extensions);
		if (type != null && type.indexOf('@') >= 0) {
			VersionedType versioned = VersionedType.split(type);
			type = versioned.type();
			// Absent or null: the field wins if it says anything.
			more.putIfAbsent(JobVersion.FIELD, versioned.version());
		}
		extensions = Collections.unmodifiableMap(more);
	}

	/**
	 * Asks for a job of a type with these arguments, all else by default.
	 * @param type what to do
	 * @param args positional arguments
	 * @return the request
	 */
	public static JobRequest of(String type, @Nullable Object... args) {
		// of(type, null) is how Java writes one null argument, and it passes no array.
		List<@Nullable Object> list = (args != null) ? Arrays.asList(args.clone()) : Collections.singletonList(null);
		return new JobRequest(type, list, null, null, Map.of(), null, null, null, null, null, null, Map.of());
	}

	/**
	 * Chooses the id, so that the caller knows it beforehand.
	 * @param value a UUIDv7
	 * @return a copy with the id
	 */
	public JobRequest id(String value) {
		return new JobRequest(this.type, this.args, value, this.queue, this.meta, this.priority, this.timeout,
				this.scheduledAt, this.expiresAt, this.retry, this.unique, this.extensions);
	}

	/**
	 * Chooses the queue.
	 * @param value the name of the queue
	 * @return a copy with the queue
	 */
	public JobRequest queue(String value) {
		return new JobRequest(this.type, this.args, this.id, value, this.meta, this.priority, this.timeout,
				this.scheduledAt, this.expiresAt, this.retry, this.unique, this.extensions);
	}

	/**
	 * Adds one entry to {@code meta}.
	 * @param key the key
	 * @param value a JSON value, or what can be turned into one
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
	 * @param value −100 to 100; higher runs first, as far as the queue can order
	 * @return a copy with the priority
	 */
	public JobRequest priority(int value) {
		return new JobRequest(this.type, this.args, this.id, this.queue, this.meta, value, this.timeout,
				this.scheduledAt, this.expiresAt, this.retry, this.unique, this.extensions);
	}

	/**
	 * Limits how long one attempt may take.
	 * @param value whole seconds, at least one
	 * @return a copy with the timeout
	 */
	public JobRequest timeout(Duration value) {
		return new JobRequest(this.type, this.args, this.id, this.queue, this.meta, this.priority, value,
				this.scheduledAt, this.expiresAt, this.retry, this.unique, this.extensions);
	}

	/**
	 * Delays the job to a moment.
	 * @param value the moment
	 * @return a copy that is scheduled
	 */
	public JobRequest scheduledAt(Instant value) {
		return scheduledAt(time("scheduled_at", value));
	}

	/**
	 * Delays the job to a moment.
	 * @param value the moment
	 * @return a copy that is scheduled
	 */
	public JobRequest scheduledAt(OffsetDateTime value) {
		return new JobRequest(this.type, this.args, this.id, this.queue, this.meta, this.priority, this.timeout, value,
				this.expiresAt, this.retry, this.unique, this.extensions);
	}

	/**
	 * Delays the job to a moment.
	 * @param value RFC 3339 with a zone
	 * @return a copy that is scheduled
	 * @throws InvalidJobException if the text has no zone or is no timestamp
	 */
	public JobRequest scheduledAt(String value) {
		return scheduledAt(Rfc3339.parse("scheduled_at", value));
	}

	/**
	 * Makes the job a dead letter if it was not started by a moment.
	 * @param value the moment
	 * @return a copy that expires
	 */
	public JobRequest expiresAt(Instant value) {
		return expiresAt(time("expires_at", value));
	}

	/**
	 * Makes the job a dead letter if it was not started by a moment.
	 * @param value the moment
	 * @return a copy that expires
	 */
	public JobRequest expiresAt(OffsetDateTime value) {
		return new JobRequest(this.type, this.args, this.id, this.queue, this.meta, this.priority, this.timeout,
				this.scheduledAt, value, this.retry, this.unique, this.extensions);
	}

	/**
	 * Makes the job a dead letter if it was not started by a moment.
	 * @param value RFC 3339 with a zone
	 * @return a copy that expires
	 * @throws InvalidJobException if the text has no zone or is no timestamp
	 */
	public JobRequest expiresAt(String value) {
		return expiresAt(Rfc3339.parse("expires_at", value));
	}

	/**
	 * Changes the retry policy for this job.
	 * @param change what to set, such as {@code retry -> retry.maxAttempts(5)}
	 * @return a copy with the change
	 */
	public JobRequest retry(UnaryOperator<RetryOverrides> change) {
		RetryOverrides current = (this.retry != null) ? this.retry : RetryOverrides.NONE;
		return new JobRequest(this.type, this.args, this.id, this.queue, this.meta, this.priority, this.timeout,
				this.scheduledAt, this.expiresAt, change.apply(current), this.unique, this.extensions);
	}

	/**
	 * Lets the job be enqueued only if there is none like it. Needs a job store.
	 * @param value which other jobs it must not meet; {@code null} if it may meet any
	 * @return a copy with the policy
	 */
	public JobRequest unique(@Nullable UniquePolicy value) {
		return new JobRequest(this.type, this.args, this.id, this.queue, this.meta, this.priority, this.timeout,
				this.scheduledAt, this.expiresAt, this.retry, value, this.extensions);
	}

	/**
	 * Lets the job be enqueued only if there is none like it. Needs a job store.
	 * @param change what to set, such as {@code unique -> unique.argsKeys("number")};
	 * without any change, there is one job of its type that has not ended
	 * @return a copy with the change
	 */
	public JobRequest unique(UnaryOperator<UniquePolicy> change) {
		return unique(change.apply((this.unique != null) ? this.unique : UniquePolicy.DEFAULT));
	}

	/**
	 * Limits how many jobs run at once, or start in a time, of those that share a key.
	 * Needs a job store.
	 * @param value the limit
	 * @return a copy with the limit
	 */
	public JobRequest rateLimit(RateLimit value) {
		return extension(RateLimit.FIELD, value);
	}

	/**
	 * Says which version the arguments are of: only handlers run the job that take it
	 * (OJS Job Versioning §5).
	 * @param value {@code major.minor}, such as {@code 2.0}
	 * @return a copy with the version
	 */
	public JobRequest version(String value) {
		return extension(JobVersion.FIELD, value);
	}

	/**
	 * Has the job wait until it is activated (OJS Core §6.1). Needs a job store.
	 * @return a copy that is pending
	 */
	public JobRequest pending() {
		return extension(PENDING, true);
	}

	/**
	 * Adds a field to the envelope that this version does not know.
	 * @param field its name
	 * @param value a JSON value, or what can be turned into one
	 * @return a copy with the field
	 */
	public JobRequest extension(String field, @Nullable Object value) {
		Map<String, @Nullable Object> changed = new LinkedHashMap<>(this.extensions);
		changed.put(field, value);
		return new JobRequest(this.type, this.args, this.id, this.queue, this.meta, this.priority, this.timeout,
				this.scheduledAt, this.expiresAt, this.retry, this.unique, changed);
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
