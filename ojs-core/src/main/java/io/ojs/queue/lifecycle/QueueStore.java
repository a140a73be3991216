package io.ojs.queue.lifecycle;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Keeps what is said about queues, for every process.
 */
public interface QueueStore {

	/**
	 * A queue, as it is now.
	 * @param name its name, or {@link Queue#DEFAULT_POLICY}
	 * @return the queue, deleted ones too; empty if there was never one
	 */
	Optional<StoredQueue> find(String name);

	/**
	 * What was changed. Versions become visible in their order: whoever asks again with
	 * the greatest version of the answer misses nothing.
	 * @param version 0 for everything
	 * @return queues with a greater version, in the order of versions, deleted ones too
	 */
	List<StoredQueue> changedSince(long version);

	/**
	 * Makes queues that there are not yet. Deleted ones stay deleted.
	 * @param names their names
	 * @param now the time
	 * @return those that were made
	 */
	List<StoredQueue> ensure(Collection<String> names, Instant now);

	/**
	 * Changes a queue in a transaction of its own, alone: no other queue is changed
	 * meanwhile.
	 * @param name its name, or {@link Queue#DEFAULT_POLICY}
	 * @param change gets the queue as it is, empty if there was never one, and returns
	 * what it is to be, or empty to leave it; what it throws undoes all that it did
	 * @return the queue as it was written; empty if it was left
	 */
	Optional<StoredQueue> change(String name, Function<Optional<StoredQueue>, Optional<StoredQueue>> change);

}
