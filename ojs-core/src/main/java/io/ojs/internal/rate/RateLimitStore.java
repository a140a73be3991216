package io.ojs.internal.rate;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import io.ojs.store.StoreUnavailableException;

/**
 * Stores the counts of limits, and lets waiting jobs through. A claim asks for a place in
 * its own transaction, without this interface.
 *
 * <p>
 * Every method throws {@link StoreUnavailableException} if the database cannot be
 * reached.
 */
public interface RateLimitStore {

	/**
	 * Lets through jobs that have waited for a time, as far as their limit allows: in the
	 * order of the retry priority, then of the priority, then of the waiting time.
	 * @return how many jobs were let through; the relay publishes them
	 */
	int release(Instant now);

	/**
	 * Lets through all jobs that may start, including those for which no event announced
	 * a free place. Also passes on the places of jobs that were let through and do not
	 * start, and deletes limits that are unused for a day after their period.
	 * @return how many jobs were let through; the relay publishes them
	 */
	int releaseAll(Instant now);

	/**
	 * The earliest time at which a waiting job may be let through because of time alone.
	 * @return the time; empty if no job waits for a time
	 */
	Optional<Instant> nextRelease();

	/**
	 * Finds the status of a limit.
	 * @return the status; empty if no job has used the key lately
	 */
	Optional<RateLimitStatus> find(String key);

	/**
	 * Finds the jobs of a limit.
	 * @param limit the largest number of jobs that run, and of jobs that wait; at least 1
	 */
	LimitedJobs jobs(String key, int limit);

	/**
	 * Lists the status of limits.
	 * @param after only keys that follow this one in alphabetical order
	 * @return the status of each limit, in alphabetical order of the keys
	 */
	List<RateLimitStatus> list(String after, int limit);

}
