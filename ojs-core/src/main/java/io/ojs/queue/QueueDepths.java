package io.ojs.queue;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import io.ojs.job.Job;

/**
 * What it takes to keep a queue within its limits. All of it happens in the transaction
 * that inserts jobs.
 */
public interface QueueDepths {

	/**
	 * Locks a queue until the transaction ends: nobody else who asks for the same lock
	 * counts or inserts meanwhile. Makes what there is to lock, if need be.
	 * @param queue its name
	 * @param now the time
	 */
	void lock(String queue, Instant now);

	/**
	 * Counts, exactly.
	 * @param queue its name
	 * @return jobs that have not ended
	 */
	QueueDepth depth(String queue);

	/**
	 * Discards the oldest jobs of a queue that no worker runs, whatever they wait for,
	 * with an error of the type {@code overflow} (OJS Queue Configuration §6.1).
	 * @param queue its name
	 * @param excess how many jobs, and of which size in all, have to go at least
	 * @param now the time
	 * @return those that were discarded, the oldest first, as they are now; empty if
	 * there are not enough, and then none was
	 */
	Optional<List<Job>> dropOldest(String queue, QueueDepth excess, Instant now);

}
