package io.ojs.internal.admin;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

import io.ojs.job.InvalidJobException;
import io.ojs.job.JobState;
import io.ojs.job.internal.JobRules;
import org.jspecify.annotations.Nullable;

/**
 * The conditions of an operator for jobs (OJS Admin API §7.1).
 *
 * @param queue only jobs of this queue
 * @param type only jobs of this type, or with a prefix: {@code email.*}
 * @param states only jobs in these states; empty for all
 * @param deadLetters only jobs that are dead letters
 * @param since only jobs created at this time or later; for dead letters, the time at
 * which they became dead letters
 * @param until only jobs created before this time; for dead letters as above
 * @param ids only these jobs, at most 1,000; empty for all
 * @param tenant only jobs of this tenant
 * @param operation only jobs that this operation has replayed, and no later one
 */
public record JobFilter(@Nullable String queue, @Nullable String type, Set<JobState> states, boolean deadLetters,
		@Nullable Instant since, @Nullable Instant until, Set<String> ids, @Nullable String tenant,
		@Nullable String operation) {

	/** The largest number of ids. */
	public static final int MAX_IDS = 1000;

	/** Matches all jobs. */
	public static final JobFilter ANY = new JobFilter(null, null, Set.of(), false, null, null, Set.of(), null, null);

	/**
	 * Checks the filter.
	 * @throws InvalidJobException if no job can have the queue, the type or an id, or if
	 * there are too many ids
	 */
	public JobFilter {
		if (queue != null) {
			JobRules.queue(queue);
		}
		if (type != null && !prefix(type).isEmpty()) {
			JobRules.type(prefix(type).replaceFirst("\\.$", ""));
		}
		if (ids.size() > MAX_IDS) {
			throw new InvalidJobException("ids", ids.size() + " ids", "must be at most " + MAX_IDS);
		}
		if (operation != null) {
			operation = id("operation", operation);
		}
		ids = ids.stream().map(JobRules::id).collect(Collectors.toUnmodifiableSet());
		states = Collections.unmodifiableSet(new LinkedHashSet<>(states));
	}

	private static String id(String field, String value) {
		try {
			return JobRules.id(value);
		}
		catch (InvalidJobException ex) {
			throw new InvalidJobException(field, value, ex.problem(), ex);
		}
	}

	/** Creates a filter that does not look at operations. */
	public JobFilter(@Nullable String queue, @Nullable String type, Set<JobState> states, boolean deadLetters,
			@Nullable Instant since, @Nullable Instant until, Set<String> ids, @Nullable String tenant) {
		this(queue, type, states, deadLetters, since, until, ids, tenant, null);
	}

	/**
	 * Whether a type stands for all types with a prefix.
	 * @return whether it ends in {@code *}
	 */
	public static boolean isPrefix(String type) {
		return type.endsWith("*");
	}

	/**
	 * Returns the prefix of a type.
	 * @param type the type, with or without {@code *} at its end
	 */
	public static String prefix(String type) {
		return isPrefix(type) ? type.substring(0, type.length() - 1) : type;
	}

	/**
	 * Returns a copy that matches only jobs in some states.
	 * @param values the states; empty for all
	 */
	public JobFilter states(Set<JobState> values) {
		return new JobFilter(this.queue, this.type, values, this.deadLetters, this.since, this.until, this.ids,
				this.tenant, this.operation);
	}

	/**
	 * Returns a copy that matches only jobs of one queue.
	 * @param value the queue; {@code null} for all
	 */
	public JobFilter queue(@Nullable String value) {
		return new JobFilter(value, this.type, this.states, this.deadLetters, this.since, this.until, this.ids,
				this.tenant, this.operation);
	}

	/**
	 * Returns a copy that matches only jobs since a time.
	 * @param value the time, compared as {@code since}; {@code null} for all
	 */
	public JobFilter since(@Nullable Instant value) {
		return new JobFilter(this.queue, this.type, this.states, this.deadLetters, value, this.until, this.ids,
				this.tenant, this.operation);
	}

	/**
	 * Returns a copy that matches only jobs before a time.
	 * @param value the time, compared as {@code until}; {@code null} for all
	 */
	public JobFilter until(@Nullable Instant value) {
		return new JobFilter(this.queue, this.type, this.states, this.deadLetters, this.since, value, this.ids,
				this.tenant, this.operation);
	}

	/** Returns a copy that matches only dead letters. */
	public JobFilter onlyDeadLetters() {
		return new JobFilter(this.queue, this.type, this.states, true, this.since, this.until, this.ids, this.tenant,
				this.operation);
	}

	/**
	 * Returns a copy that matches only some jobs.
	 * @param values their ids; empty for all
	 */
	public JobFilter ids(Set<String> values) {
		return new JobFilter(this.queue, this.type, this.states, this.deadLetters, this.since, this.until, values,
				this.tenant, this.operation);
	}

	/**
	 * Returns a copy that matches only jobs of one tenant.
	 * @param value the id of the tenant; {@code null} for all
	 */
	public JobFilter tenant(@Nullable String value) {
		return new JobFilter(this.queue, this.type, this.states, this.deadLetters, this.since, this.until, this.ids,
				value, this.operation);
	}

	/**
	 * Returns a copy that matches only jobs that an operation has replayed.
	 * @param value the id of the operation; {@code null} for all
	 */
	public JobFilter operation(@Nullable String value) {
		return new JobFilter(this.queue, this.type, this.states, this.deadLetters, this.since, this.until, this.ids,
				this.tenant, value);
	}

}
