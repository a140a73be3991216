package io.ojs.deadletter;

import java.time.Instant;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.ojs.job.InvalidJobException;
import io.ojs.job.JobRules;
import org.jspecify.annotations.Nullable;

/**
 * Which dead letters are meant (OJS Dead Letter §9.1). What is {@code null} or empty does
 * not matter; all that is given has to hold. Immutable; each method gives a changed copy.
 *
 * @param queue only those among the dead letters of this queue
 * @param origin only those that died in this queue
 * @param type only jobs of this type, exact or a prefix ending in {@code .*}
 * @param errorType only those whose last error is of this type, exact or a prefix ending
 * in {@code .*}
 * @param since only those that became dead letters at this time or later
 * @param until only those that became dead letters before this time
 * @param ids only these jobs; at most 1000
 * @param tenant only jobs of this tenant
 */
public record DeadLetterFilter(@Nullable String queue, @Nullable String origin, @Nullable String type,
		@Nullable String errorType, @Nullable Instant since, @Nullable Instant until, Set<String> ids,
		@Nullable String tenant) {

	/** Every dead letter. */
	public static final DeadLetterFilter ANY = new DeadLetterFilter(null, null, null, null, null, null, Set.of(), null);

	/** How many jobs can be named at once. */
	public static final int MAX_IDS = 1000;

	/** What the name of a prefix ends in. */
	private static final String WILDCARD = ".*";

	private static final int MAX_ERROR_TYPE_LENGTH = 255;

	private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

	/**
	 * Checks the values.
	 * @throws InvalidDeadLetterRequestException if one of them can match nothing
	 */
	public DeadLetterFilter {
		if (queue != null) {
			rule("queue", queue, JobRules::queue);
		}
		if (origin != null) {
			rule("origin", origin, JobRules::queue);
		}
		if (type != null) {
			rule("type", type, (value) -> JobRules.type(stem(value)));
		}
		if (errorType != null && (stem(errorType).isBlank() || errorType.length() > MAX_ERROR_TYPE_LENGTH
				|| CONTROL.matcher(errorType).find())) {
			throw new InvalidDeadLetterRequestException("filter.error_type", errorType,
					"must be the type of an error, or a prefix ending in '.*', at most 255 characters");
		}
		if (since != null && until != null && !since.isBefore(until)) {
			throw new InvalidDeadLetterRequestException("filter.until", until, "must be later than since, " + since);
		}
		if (ids.size() > MAX_IDS) {
			throw new InvalidDeadLetterRequestException("filter.ids", ids.size() + " ids",
					"must be at most " + MAX_IDS);
		}
		ids.forEach((id) -> rule("ids", id, JobRules::id));
		ids = ids.stream().map(JobRules::id).collect(Collectors.toUnmodifiableSet());
	}

	private static void rule(String field, String value, UnaryOperator<String> rule) {
		try {
			rule.apply(value);
		}
		catch (InvalidJobException ex) {
			throw new InvalidDeadLetterRequestException("filter." + field, value, ex.problem());
		}
	}

	private static String stem(String pattern) {
		return isPrefix(pattern) ? pattern.substring(0, pattern.length() - WILDCARD.length()) : pattern;
	}

	/**
	 * Whether a type is meant as the beginning of others.
	 * @param pattern {@link #type} or {@link #errorType}
	 * @return whether it ends in {@code .*}; what stands before the {@code *} is what
	 * values begin with
	 */
	public static boolean isPrefix(String pattern) {
		return pattern.endsWith(WILDCARD);
	}

	/**
	 * Only those that died in a queue, wherever they are kept.
	 * @param value the queue
	 * @return a filter that asks for it too
	 */
	public DeadLetterFilter origin(String value) {
		return new DeadLetterFilter(this.queue, value, this.type, this.errorType, this.since, this.until, this.ids,
				this.tenant);
	}

	/**
	 * Only those among the dead letters of a queue.
	 * @param value the queue
	 * @return a filter that asks for it too
	 */
	public DeadLetterFilter queue(String value) {
		return new DeadLetterFilter(value, this.origin, this.type, this.errorType, this.since, this.until, this.ids,
				this.tenant);
	}

	/**
	 * Only jobs of a type.
	 * @param value the type, or a prefix ending in {@code .*}
	 * @return a filter that asks for it too
	 */
	public DeadLetterFilter type(String value) {
		return new DeadLetterFilter(this.queue, this.origin, value, this.errorType, this.since, this.until, this.ids,
				this.tenant);
	}

	/**
	 * Only errors of a type.
	 * @param value class or dotted name of the last error, or a prefix ending in
	 * {@code .*}
	 * @return a filter that asks for it too
	 */
	public DeadLetterFilter errorType(String value) {
		return new DeadLetterFilter(this.queue, this.origin, this.type, value, this.since, this.until, this.ids,
				this.tenant);
	}

	/**
	 * Only those that became dead letters at a time or later.
	 * @param value the time
	 * @return a filter that asks for it too
	 */
	public DeadLetterFilter since(Instant value) {
		return new DeadLetterFilter(this.queue, this.origin, this.type, this.errorType, value, this.until, this.ids,
				this.tenant);
	}

	/**
	 * Only those that became dead letters before a time.
	 * @param value the time
	 * @return a filter that asks for it too
	 */
	public DeadLetterFilter until(Instant value) {
		return new DeadLetterFilter(this.queue, this.origin, this.type, this.errorType, this.since, value, this.ids,
				this.tenant);
	}

	/**
	 * Only some jobs.
	 * @param values their ids, 1 to 1000, in either case
	 * @return a filter that asks for them too
	 */
	public DeadLetterFilter ids(Set<String> values) {
		if (values.isEmpty()) {
			throw new InvalidDeadLetterRequestException("filter.ids", "no id",
					"must name a job; leave it out to mean any");
		}
		return new DeadLetterFilter(this.queue, this.origin, this.type, this.errorType, this.since, this.until, values,
				this.tenant);
	}

	/**
	 * Only jobs of a tenant.
	 * @param value the id of the tenant; {@code null} for all
	 * @return a filter that asks for it too
	 */
	public DeadLetterFilter tenant(@Nullable String value) {
		return new DeadLetterFilter(this.queue, this.origin, this.type, this.errorType, this.since, this.until,
				this.ids, value);
	}

}
