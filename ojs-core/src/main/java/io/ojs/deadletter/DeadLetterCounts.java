package io.ojs.deadletter;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * How many dead letters each queue has, a little old, so that asking costs nothing.
 * Somebody has to call {@link #refresh} all the time.
 */
public final class DeadLetterCounts {

	private final DeadLetterStore store;

	private volatile Map<String, Long> counts = Map.of();

	/**
	 * Creates counts that know of nothing yet.
	 * @param store counts
	 */
	public DeadLetterCounts(DeadLetterStore store) {
		this.store = store;
	}

	/**
	 * Counts anew. Queues that had dead letters once are remembered, so that their number
	 * is seen to become 0.
	 * @throws io.ojs.store.StoreException if the database does not let it; the counts are
	 * those of the last time then
	 */
	public void refresh() {
		Map<String, Long> now = new HashMap<>();
		this.counts.keySet().forEach((queue) -> now.put(queue, 0L));
		now.putAll(this.store.countByQueue());
		this.counts = Map.copyOf(now);
	}

	/**
	 * How many a queue has.
	 * @param queue the queue
	 * @return 0 or more
	 */
	public long of(String queue) {
		return this.counts.getOrDefault(queue, 0L);
	}

	/**
	 * Goes through all queues that have dead letters, or had some.
	 * @param action is given the queue and its number
	 */
	public void forEach(BiConsumer<String, Long> action) {
		this.counts.forEach(action);
	}

}
