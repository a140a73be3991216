package io.ojs.queue.internal.lifecycle;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import io.ojs.job.JobState;
import io.ojs.queue.QueueStats;
import io.ojs.store.StoredJob;

/**
 * Operations on all jobs of a queue. Within {@link QueueStore#change}, they are part of
 * its transaction.
 */
public interface QueueJobs {

	/**
	 * Counts the jobs of a queue.
	 * @param startOfDay the time from which jobs count as ended today
	 */
	QueueStats stats(String queue, Instant startOfDay);

	/** Counts the jobs of a queue that have not ended. */
	long unfinished(String queue);

	/**
	 * Counts the jobs of all queues that have not ended.
	 * @return the number of jobs by queue and state; without zeros
	 */
	Map<String, Map<JobState, Long>> unfinished();

	/**
	 * Discards the waiting jobs of a queue, with an error of the type
	 * {@code queue_deleted}. Active jobs are left alone.
	 */
	List<String> discardWaiting(String queue, Instant now);

	/**
	 * Finds jobs as they were committed, whether or not the caller has a transaction.
	 * @return the jobs that exist, in any order
	 */
	List<StoredJob> find(Collection<String> jobIds);

	/**
	 * Moves the waiting jobs of a queue to another one, where the relay publishes them
	 * again. Active jobs are left alone.
	 */
	long moveWaiting(String queue, String target, Instant now);

}
