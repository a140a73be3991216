package io.ojs.store;

import java.util.Set;

import io.ojs.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs are meant. What is left out does not count.
 *
 * @param queue only those of this queue
 * @param type only those of this type
 * @param states only those in one of these states; empty for any
 * @param before only those with a smaller id, which is where the page before ended
 * @param limit how many at most, 1 to 1000
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
	 * Any job.
	 * @param limit how many at most
	 * @return the query
	 */
	public static JobQuery first(int limit) {
		return new JobQuery(null, null, Set.of(), null, limit);
	}

}
