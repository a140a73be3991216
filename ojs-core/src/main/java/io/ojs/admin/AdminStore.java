package io.ojs.admin;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.ojs.job.JobState;
import io.ojs.store.StoreException;
import io.ojs.store.StoredJob;
import org.jspecify.annotations.Nullable;

/**
 * Answers the questions of operators, which may look at every job that there is. Each
 * method throws a {@link StoreException} if that cannot be done.
 */
public interface AdminStore {

	/**
	 * Counts jobs.
	 * @param queue only those of this queue; {@code null} for all
	 * @param tenant only those of this tenant; {@code null} for all
	 * @return how many jobs each queue has in which states; what there is none of is left
	 * out
	 */
	Map<String, Map<JobState, Long>> counts(@Nullable String queue, @Nullable String tenant);

	/**
	 * Counts jobs by the tenants that they belong to.
	 * @param after only tenants behind this one; {@code null} for the beginning
	 * @param limit how many tenants at most, at least 1
	 * @return how many jobs each tenant has in which states, by the ids of tenants in the
	 * order of the database; without those that have none
	 */
	Map<String, Map<JobState, Long>> countsByTenant(@Nullable String after, int limit);

	/**
	 * Counts jobs that ended.
	 * @param since at this time or later
	 * @return how many ended in which states
	 */
	Map<JobState, Long> ended(Instant since);

	/**
	 * Counts the jobs that are meant.
	 * @param filter which
	 * @return how many there are
	 */
	long count(JobFilter filter);

	/**
	 * Looks jobs up, the newest first.
	 * @param filter which
	 * @param offset how many to skip, not negative
	 * @param limit how many at most, at least 1
	 * @return the jobs
	 */
	List<StoredJob> search(JobFilter filter, long offset, int limit);

	/**
	 * Deletes jobs that have ended, the oldest first. Those that have not are left alone.
	 * @param filter which; {@code since} and {@code until} are compared with when they
	 * ended
	 * @param limit how many at most, at least 1
	 * @return how many were deleted
	 */
	int delete(JobFilter filter, int limit);

	/**
	 * Deletes all jobs, events, and whatever else is kept beside queues and their
	 * configuration. For tests.
	 */
	void reset();

}
