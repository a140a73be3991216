package io.ojs.store.internal;

import java.time.Clock;
import java.time.Duration;
import java.util.function.IntUnaryOperator;
import java.util.function.ToLongFunction;

import io.ojs.store.StoreException;

/**
 * Deletes jobs, workflows and events whose retention is over, in small batches, so that
 * no other transaction waits for it.
 */
public final class Pruner {

	/** The default retention of events. */
	public static final Duration DEFAULT_EVENT_RETENTION = Duration.ofDays(7);

	/** How long operations on many jobs are kept after their end. */
	private static final Duration OPERATION_RETENTION = Duration.ofDays(30);

	private static final int BATCH = 500;

	/** The most batches of one run; the next run continues. */
	private static final int MOST_BATCHES = 200;

	private final RetentionStore store;

	private final Clock clock;

	private final ToLongFunction<String> maxDeadLetters;

	private final Duration eventRetention;

	/**
	 * Creates a pruner.
	 * @param maxDeadLetters the largest number of dead letters of a queue; 0 or less for
	 * no limit
	 */
	public Pruner(RetentionStore store, Clock clock, ToLongFunction<String> maxDeadLetters, Duration eventRetention) {
		this.store = store;
		this.clock = clock;
		this.maxDeadLetters = maxDeadLetters;
		this.eventRetention = eventRetention;
	}

	/**
	 * Deletes everything whose retention is over, up to a limit for each kind.
	 * @throws StoreException if the database fails
	 */
	public void prune() {
		repeat((limit) -> this.store.prune(this.clock.instant(), limit));
		repeat((limit) -> this.store.pruneWorkflows(this.clock.instant(), limit));
		repeat((limit) -> this.store.pruneOperations(this.clock.instant().minus(OPERATION_RETENTION), limit));
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
