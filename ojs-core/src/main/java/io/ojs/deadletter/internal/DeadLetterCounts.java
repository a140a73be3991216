package io.ojs.deadletter.internal;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * The number of dead letters of each queue at the last refresh. Reads use memory only.
 * {@link #refresh} has to be called at short intervals.
 */
public final class DeadLetterCounts {

	private final DeadLetterStore store;

	private volatile Map<String, Long> counts = Map.of();

	public DeadLetterCounts(DeadLetterStore store) {
		this.store = store;
	}

	/**
	 * Counts anew. Keeps queues that have had dead letters, with the number 0.
	 * @throws io.ojs.store.StoreException if the database fails; the counts do not change
	 * then
	 */
	public void refresh() {
		Map<String, Long> now = new HashMap<>();
		this.counts.keySet().forEach((queue) -> now.put(queue, 0L));
		now.putAll(this.store.countByQueue());
		this.counts = Map.copyOf(now);
	}

	/**
	 * Returns the number of dead letters of a queue.
	 * @return 0 or more
	 */
	public long of(String queue) {
		return this.counts.getOrDefault(queue, 0L);
	}

	/** Calls an action for each queue that has or had dead letters. */
	public void forEach(BiConsumer<String, Long> action) {
		this.counts.forEach(action);
	}

}
