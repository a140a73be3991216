package io.ojs.queue.internal.lifecycle;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Keeps the states and configurations of queues for all processes.
 */
public interface QueueStore {

	/**
	 * Finds a queue.
	 * @return the queue, even if it was deleted; empty if it has never existed
	 */
	Optional<StoredQueue> find(String name);

	/**
	 * Returns changed queues. Versions become visible in their order, so the next call
	 * with the largest version of this answer misses no change.
	 * @param version 0 for all queues
	 * @return queues with a larger version, in the order of versions, including deleted
	 * ones
	 */
	List<StoredQueue> changedSince(long version);

	/** Creates queues that do not exist. Deleted queues stay deleted. */
	List<StoredQueue> ensure(Collection<String> names, Instant now);

	/**
	 * Changes a queue in its own transaction. No other queue is changed meanwhile.
	 * @param change receives the queue, or empty if it has never existed, and returns the
	 * changed queue, or empty to leave it; an exception rolls back the transaction
	 * @return the queue as written; empty if it was left
	 */
	Optional<StoredQueue> change(String name, Function<Optional<StoredQueue>, Optional<StoredQueue>> change);

}
