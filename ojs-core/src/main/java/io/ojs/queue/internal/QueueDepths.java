package io.ojs.queue.internal;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import io.ojs.job.Job;
import io.ojs.queue.QueueDepth;

/**
 * Keeps queues within their limits, in the transaction that inserts jobs.
 */
public interface QueueDepths {

	/**
	 * Locks a queue until the transaction ends, so that no other transaction with this
	 * lock counts or inserts meanwhile. Creates the row to lock if there is none.
	 */
	void lock(String queue, Instant now);

	/**
	 * Counts the jobs of a queue exactly.
	 * @return the jobs that have not ended
	 */
	QueueDepth depth(String queue);

	/**
	 * Discards the oldest jobs of a queue that do not run, with an error of the type
	 * {@code overflow} (OJS Queue Configuration §6.1).
	 * @param excess the smallest number of jobs and total size to discard
	 * @return the discarded jobs, the oldest first; empty if there are not enough, and
	 * then no job was discarded
	 */
	Optional<List<Job>> dropOldest(String queue, QueueDepth excess, Instant now);

}
