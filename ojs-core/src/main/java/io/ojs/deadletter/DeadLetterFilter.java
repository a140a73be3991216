package io.ojs.deadletter;

import java.time.Instant;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.ojs.deadletter.internal.DeadLetterRequests;
import io.ojs.job.internal.JobRules;
import org.jspecify.annotations.Nullable;

/**
 * Conditions for dead letters (OJS Dead Letter §9.1), in the job store and at the broker.
 * A condition that is {@code null} or empty matches every dead letter; all others have to
 * match, and a dead letter that lacks the value does not. A condition that one side
 * cannot check is rejected there with an {@link InvalidDeadLetterRequestException}; so
 * is, in the job store, a type or an id that breaks a rule for jobs, which only messages
 * at the broker can have. Immutable; each method returns a changed copy.
 *
 * @param queue the queue whose dead letters they are; required at the broker
 * @param origin the queue in which the job failed; only in the job store
 * @param type the type of the job, exact or a prefix ending in {@code .*}
 * @param errorType the type of the last error, exact or a prefix ending in {@code .*}
 * @param errorCode the code of the last error, exact or a prefix ending in {@code .*};
 * only at the broker
 * @param stackHash the hash that failures at the same place in the code have in common
 * @param since matches jobs that became dead letters at this time or later
 * @param until matches jobs that became dead letters before this time
 * @param ids the ids of the jobs, compared without regard to case; at most 1000
 * @param tenant the tenant of the job
 */
public record DeadLetterFilter(@Nullable String queue, @Nullable String origin, @Nullable String type,
		@Nullable String errorType, @Nullable String errorCode, @Nullable String stackHash, @Nullable Instant since,
		@Nullable Instant until, Set<String> ids, @Nullable String tenant) {

	/** Matches every dead letter. */
	public static final DeadLetterFilter ANY = new DeadLetterFilter(null, null, null, null, null, null, null, null,
			Set.of(), null);

	/** The largest number of ids. */
	public static final int MAX_IDS = 1000;

	private static final int MAX_LENGTH = 255;

	private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

	/**
	 * Checks the values.
	 * @throws InvalidDeadLetterRequestException if a value cannot match any dead letter
	 */
	public DeadLetterFilter {
		DeadLetterRequests.rule("filter.queue", queue, JobRules::queue);
		DeadLetterRequests.rule("filter.origin", origin, JobRules::queue);
		text("type", type, "must be the type of a job, or a prefix ending in '.*'");
		text("error_type", errorType, "must be the type of an error, or a prefix ending in '.*'");
		text("error_code", errorCode, "must be the code of an error, or a prefix ending in '.*'");
		text("stack_hash", stackHash, "must be a hash, such as 0123456789abcdef");
		if (since != null && until != null && !since.isBefore(until)) {
			throw new InvalidDeadLetterRequestException("filter.until", until, "must be later than since, " + since);
		}
		if (ids.size() > MAX_IDS) {
			throw new InvalidDeadLetterRequestException("filter.ids", ids.size() + " ids",
					"must be at most " + MAX_IDS);
		}
		ids.forEach((id) -> text("ids", id, "must be the id of a job"));
		ids = ids.stream().map((id) -> id.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
	}

	private static void text(String field, @Nullable String value, String problem) {
		if (value != null && (DeadLetterRequests.stem(value).isBlank() || value.length() > MAX_LENGTH
				|| CONTROL.matcher(value).find())) {
			throw new InvalidDeadLetterRequestException("filter." + field, value, problem + ", at most 255 characters");
		}
	}

	/**
	 * Whether a pattern is a prefix.
	 * @param pattern {@link #type}, {@link #errorType} or {@link #errorCode}
	 * @return whether it ends in {@code .*}; values begin with the part before the
	 * {@code *}
	 */
	public static boolean isPrefix(String pattern) {
		return pattern.endsWith(".*");
	}

	/**
	 * Matches only dead letters of a queue.
	 * @param value the queue; {@code null} for any
	 * @return a copy with this condition
	 */
	public DeadLetterFilter queue(@Nullable String value) {
		return new DeadLetterFilter(value, this.origin, this.type, this.errorType, this.errorCode, this.stackHash,
				this.since, this.until, this.ids, this.tenant);
	}

	/**
	 * Matches only dead letters that failed in a queue, whichever queue keeps them.
	 * @param value the queue; {@code null} for any
	 * @return a copy with this condition
	 */
	public DeadLetterFilter origin(@Nullable String value) {
		return new DeadLetterFilter(this.queue, value, this.type, this.errorType, this.errorCode, this.stackHash,
				this.since, this.until, this.ids, this.tenant);
	}

	/**
	 * Matches only jobs of a type.
	 * @param value the type, or a prefix ending in {@code .*}; {@code null} for any
	 * @return a copy with this condition
	 */
	public DeadLetterFilter type(@Nullable String value) {
		return new DeadLetterFilter(this.queue, this.origin, value, this.errorType, this.errorCode, this.stackHash,
				this.since, this.until, this.ids, this.tenant);
	}

	/**
	 * Matches only jobs whose last error has a type.
	 * @param value the class or dotted name of the error, or a prefix ending in
	 * {@code .*}; {@code null} for any
	 * @return a copy with this condition
	 */
	public DeadLetterFilter errorType(@Nullable String value) {
		return new DeadLetterFilter(this.queue, this.origin, this.type, value, this.errorCode, this.stackHash,
				this.since, this.until, this.ids, this.tenant);
	}

	/**
	 * Matches only jobs whose last error has a code.
	 * @param value the code, or a prefix ending in {@code .*}; {@code null} for any
	 * @return a copy with this condition
	 */
	public DeadLetterFilter errorCode(@Nullable String value) {
		return new DeadLetterFilter(this.queue, this.origin, this.type, this.errorType, value, this.stackHash,
				this.since, this.until, this.ids, this.tenant);
	}

	/**
	 * Matches only failures at one place in the code.
	 * @param value 16 hexadecimal digits, in either case; {@code null} for any
	 * @return a copy with this condition
	 */
	public DeadLetterFilter stackHash(@Nullable String value) {
		return new DeadLetterFilter(this.queue, this.origin, this.type, this.errorType, this.errorCode, value,
				this.since, this.until, this.ids, this.tenant);
	}

	/**
	 * Matches only jobs that became dead letters at a time or later.
	 * @param value the time; {@code null} for any
	 * @return a copy with this condition
	 */
	public DeadLetterFilter since(@Nullable Instant value) {
		return new DeadLetterFilter(this.queue, this.origin, this.type, this.errorType, this.errorCode, this.stackHash,
				value, this.until, this.ids, this.tenant);
	}

	/**
	 * Matches only jobs that became dead letters before a time.
	 * @param value the time; {@code null} for any
	 * @return a copy with this condition
	 */
	public DeadLetterFilter until(@Nullable Instant value) {
		return new DeadLetterFilter(this.queue, this.origin, this.type, this.errorType, this.errorCode, this.stackHash,
				this.since, value, this.ids, this.tenant);
	}

	/**
	 * Matches only some jobs.
	 * @param values their ids, 1 to 1000, in upper or lower case
	 * @return a copy with this condition
	 */
	public DeadLetterFilter ids(Set<String> values) {
		if (values.isEmpty()) {
			throw new InvalidDeadLetterRequestException("filter.ids", "no id",
					"must name a job; leave it out to mean any");
		}
		return new DeadLetterFilter(this.queue, this.origin, this.type, this.errorType, this.errorCode, this.stackHash,
				this.since, this.until, values, this.tenant);
	}

	/**
	 * Matches only jobs of a tenant.
	 * @param value the id of the tenant; {@code null} for any
	 * @return a copy with this condition
	 */
	public DeadLetterFilter tenant(@Nullable String value) {
		return new DeadLetterFilter(this.queue, this.origin, this.type, this.errorType, this.errorCode, this.stackHash,
				this.since, this.until, this.ids, value);
	}

}
