package io.ojs.internal.figures;

import java.time.Instant;

/**
 * Reads figures from a job store. No method reads jobs that have ended, except dead
 * letters, and each reads a bounded number of rows.
 */
public interface FigureStore {

	/** How many jobs that have not ended are counted. */
	int BOUND = 100_000;

	/** How many dead letters are counted. */
	int DEAD_BOUND = 10_000;

	/** How many new dead letters of a queue are counted. */
	int FRESH_BOUND = 1000;

	/**
	 * Counts jobs.
	 * @throws io.ojs.store.StoreUnavailableException if the database cannot be reached
	 */
	StoreFigures figures(Instant now);

	/**
	 * Finds what else operators should know.
	 * @param deadSince counts dead letters from this time on
	 * @param waitingBefore finds limits whose first job waits since before this time
	 * @throws io.ojs.store.StoreUnavailableException if the database cannot be reached
	 */
	Troubles troubles(Instant now, Instant deadSince, Instant waitingBefore);

}
