package io.ojs.store;

import java.time.Clock;
import java.time.Duration;
import java.util.function.IntUnaryOperator;
import java.util.function.ToLongFunction;

/**
 * Forgets what has ended long ago, a little at a time, so that nobody waits for it.
 */
public final class Pruner {

	/** Default of how long events are kept. */
	public static final Duration DEFAULT_EVENT_RETENTION = Duration.ofDays(7);

	private static final int BATCH = 500;

	/** The next time goes on where this one ended. */
	private static final int MOST_BATCHES = 200;

	private final RetentionStore store;

	private final Clock clock;

	private final ToLongFunction<String> maxDeadLetters;

	private final Duration eventRetention;

	/**
	 * Creates a pruner.
	 * @param store forgets
	 * @param clock tells the time
	 * @param maxDeadLetters how many dead letters a queue keeps; 0 is any number
	 * @param eventRetention how long events are kept
	 */
	public Pruner(RetentionStore store, Clock clock, ToLongFunction<String> maxDeadLetters, Duration eventRetention) {
		this.store = store;
		this.clock = clock;
		this.maxDeadLetters = maxDeadLetters;
		this.eventRetention = eventRetention;
	}

	/**
	 * Forgets what there is to forget.
	 * @throws StoreException if the database does not let it
	 */
	public void prune() {
		repeat((limit) -> this.store.prune(this.clock.instant(), limit));
		repeat((limit) -> this.store.pruneWorkflows(this.clock.instant(), limit));
		repeat((limit) -> this.store.trimDeadLetters(this::keep, limit));
		repeat((limit) -> this.store.pruneEvents(this.clock.instant().minus(this.eventRetention), limit));
	}

	private long keep(String queue) {
		long most = this.maxDeadLetters.applyAsLong(queue);
		return (most > 0) ? most : Long.MAX_VALUE;
	}

	private static void repeat(IntUnaryOperator batch) {
		int batches = 0;
		while (batches < MOST_BATCHES && batch.applyAsInt(BATCH) >= BATCH) {
			batches++;
		}
	}

}
