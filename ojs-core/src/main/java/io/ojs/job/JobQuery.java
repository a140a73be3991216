package io.ojs.job;

import java.util.Set;

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

	public JobQuery {
		states = Set.copyOf(states);
		if (limit < 1 || limit > MAX_LIMIT) {
			throw new IllegalArgumentException("limit must be between 1 and " + MAX_LIMIT + ", but was " + limit + ".");
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

}
