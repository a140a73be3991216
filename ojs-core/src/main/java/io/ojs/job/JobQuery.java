package io.ojs.job;

import java.util.Set;

import io.ojs.job.internal.JobRules;
import org.jspecify.annotations.Nullable;

/**
 * Conditions for jobs. A condition that is {@code null} or empty matches every job.
 *
 * @param queue the queue of the jobs
 * @param type the type of the jobs
 * @param states the states of the jobs; empty for any
 * @param before matches jobs with a smaller id: the last id of the page before
 * @param limit the largest number of jobs, 1 to {@value #MAX_LIMIT}
 */
public record JobQuery(@Nullable String queue, @Nullable String type, Set<JobState> states, @Nullable String before,
		int limit) {

	/** The largest page. */
	public static final int MAX_LIMIT = 1000;

	/**
	 * Checks the values.
	 * @throws InvalidJobException if {@code before} is no id of a job
	 * @throws IllegalArgumentException if the limit is out of range
	 */
	public JobQuery {
		states = Set.copyOf(states);
		before = (before != null) ? id(before) : null;
		if (limit < 1 || limit > MAX_LIMIT) {
			throw new IllegalArgumentException("limit must be between 1 and " + MAX_LIMIT + ", but was " + limit + ".");
		}
	}

	private static String id(String before) {
		try {
			return JobRules.id(before);
		}
		catch (InvalidJobException ex) {
			throw new InvalidJobException("before", before,
					"must be the id of the last job of the page before; leave it out for the first page", ex);
		}
	}

	/**
	 * A query for the newest jobs of all queues.
	 * @param limit the largest number of jobs, 1 to {@value #MAX_LIMIT}
	 * @return the query
	 */
	public static JobQuery first(int limit) {
		return new JobQuery(null, null, Set.of(), null, limit);
	}

	/**
	 * Matches only jobs of a queue.
	 * @param value the name of the queue; {@code null} for any
	 * @return a copy with the queue
	 */
	public JobQuery queue(@Nullable String value) {
		return new JobQuery(value, this.type, this.states, this.before, this.limit);
	}

	/**
	 * Matches only jobs of a type.
	 * @param value the type; {@code null} for any
	 * @return a copy with the type
	 */
	public JobQuery type(@Nullable String value) {
		return new JobQuery(this.queue, value, this.states, this.before, this.limit);
	}

	/**
	 * Matches only jobs in one of some states.
	 * @param values the states; none for any
	 * @return a copy with the states
	 */
	public JobQuery states(JobState... values) {
		return new JobQuery(this.queue, this.type, Set.of(values), this.before, this.limit);
	}

	/**
	 * Matches only jobs that are older than another one: those of the next page.
	 * @param value the last id of the page before, in upper or lower case; {@code null}
	 * for the first page
	 * @return a copy with the id
	 * @throws InvalidJobException if the value is no id of a job
	 */
	public JobQuery before(@Nullable String value) {
		return new JobQuery(this.queue, this.type, this.states, value, this.limit);
	}

}
