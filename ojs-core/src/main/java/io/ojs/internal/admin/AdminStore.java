package io.ojs.internal.admin;

import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.ojs.job.JobState;
import io.ojs.store.StoreException;
import io.ojs.store.StoredJob;
import org.jspecify.annotations.Nullable;

/**
 * Answers the questions of operators, which may have to read every job. Each method
 * throws a {@link StoreException} if the database fails.
 */
public interface AdminStore {

	/** The states of jobs that can be deleted. */
	Set<JobState> DELETABLE = Collections
		.unmodifiableSet(EnumSet.of(JobState.COMPLETED, JobState.CANCELLED, JobState.DISCARDED));

	/**
	 * Counts jobs.
	 * @param queue only jobs of this queue; {@code null} for all
	 * @param tenant only jobs of this tenant; {@code null} for all
	 * @return the number of jobs of each queue and state; without zeros
	 */
	Map<String, Map<JobState, Long>> counts(@Nullable String queue, @Nullable String tenant);

	/**
	 * Counts jobs by tenant.
	 * @param after only tenants behind this one; {@code null} for the beginning
	 * @param limit the largest number of tenants, at least 1
	 * @return the number of jobs of each tenant and state, by the ids of tenants in the
	 * order of the database; without zeros
	 */
	Map<String, Map<JobState, Long>> countsByTenant(@Nullable String after, int limit);

	/**
	 * Counts the unfinished jobs and the dead letters of tenants. Reads no other jobs.
	 * @param after as above
	 * @param limit as above
	 * @param bound how many jobs that wait for a worker or run, how many that wait for a
	 * time, and how many dead letters of a tenant are counted
	 * @return the numbers of each tenant that has jobs, also of one that has only others,
	 * by the ids of tenants in the order of the database
	 */
	Map<String, TenantJobs> unfinishedByTenant(@Nullable String after, int limit, int bound);

	/**
	 * Counts the unfinished jobs of a tenant. Reads no other jobs.
	 * @param bound how many jobs that wait for a worker or run, and how many that wait
	 * for a time are counted
	 * @return the number of jobs of each queue and state; without zeros
	 */
	Map<String, Map<JobState, Long>> unfinished(String tenant, int bound);

	/**
	 * Counts jobs that have ended.
	 * @param since only jobs that ended at this time or later
	 * @return the number of jobs of each state; without zeros
	 */
	Map<JobState, Long> ended(Instant since);

	/** Counts the jobs that match a filter. */
	long count(JobFilter filter);

	/**
	 * Lists the jobs that match a filter, the newest first.
	 * @param offset the number of jobs to skip, not negative
	 * @param limit the largest number of jobs, at least 1
	 */
	List<StoredJob> search(JobFilter filter, long offset, int limit);

	/**
	 * Counts jobs that match a filter, up to a bound. Of jobs that have ended, it reads
	 * only so many that it takes no longer than a page of a list.
	 * @param ended whether only jobs that have ended count; {@code since} and
	 * {@code until} are compared with the time at which they ended
	 */
	BoundedCount countUpTo(JobFilter filter, boolean ended, int bound);

	/**
	 * Deletes completed, cancelled and discarded jobs that match a filter, the oldest
	 * first. Other jobs are left alone.
	 * @param filter the filter; {@code since} and {@code until} are compared with the
	 * time at which a job ended
	 * @param limit the largest number of jobs, at least 1
	 */
	int delete(JobFilter filter, int limit);

	/**
	 * The unfinished jobs and the dead letters of a tenant.
	 *
	 * @param unfinished the number of jobs in each state; without zeros
	 * @param complete whether these are all
	 */
	record TenantJobs(Map<JobState, Long> unfinished, long deadLetters, boolean complete) {

		public TenantJobs {
			unfinished = Map.copyOf(unfinished);
		}

	}

	/**
	 * How many jobs were counted.
	 *
	 * @param complete whether these are all
	 */
	record BoundedCount(long jobs, boolean complete) {
	}

}
