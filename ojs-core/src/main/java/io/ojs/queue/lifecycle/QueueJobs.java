package io.ojs.queue.lifecycle;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import io.ojs.job.JobState;
import io.ojs.store.StoredJob;

/**
 * What can be done to all jobs of a queue. Within a change of a {@link QueueStore} it
 * happens together with that.
 */
public interface QueueJobs {

	/**
	 * Counts.
	 * @param queue its name
	 * @param startOfDay since when jobs have ended today
	 * @return how many jobs there are
	 */
	QueueStats stats(String queue, Instant startOfDay);

	/**
	 * Counts what has not ended.
	 * @param queue its name
	 * @return the number of jobs
	 */
	long unfinished(String queue);

	/**
	 * Counts what has not ended, in all queues.
	 * @return the number of jobs by queue and state; what there is none of is left out
	 */
	Map<String, Map<JobState, Long>> unfinished();

	/**
	 * Discards the jobs that wait, for whatever reason, with an error of the type
	 * {@code queue_deleted}. Those that run are left alone.
	 * @param queue its name
	 * @param now the time
	 * @return the ids of those that were discarded
	 */
	List<String> discardWaiting(String queue, Instant now);

	/**
	 * Looks jobs up, as they were committed, whatever transaction the caller is in.
	 * @param jobIds the ids of jobs
	 * @return those of them that there are, in any order
	 */
	List<StoredJob> find(Collection<String> jobIds);

	/**
	 * Moves the jobs that wait, for whatever reason, to another queue, where they are
	 * published again. Those that run are left alone.
	 * @param queue its name
	 * @param target the name of the other
	 * @param now the time
	 * @return how many there were
	 */
	long moveWaiting(String queue, String target, Instant now);

}
