package io.ojs.store.internal;

import java.time.Instant;
import java.util.function.ToLongFunction;

/**
 * Deletes jobs, workflows and events whose retention is over.
 */
public interface RetentionStore {

	/**
	 * Deletes jobs whose retention is over, with all that belongs to them. Keeps jobs of
	 * workflows that have not ended. Keeps unique jobs that still block others like them,
	 * and looks at these again when the period of their policy is over.
	 * @param limit the largest number of jobs to look at
	 * @return the number of jobs that were looked at
	 */
	int prune(Instant now, int limit);

	/** Deletes workflows whose retention is over. */
	default int pruneWorkflows(Instant now, int limit) {
		return 0;
	}

	/**
	 * Deletes operations on many jobs that ended before a time.
	 */
	default int pruneOperations(Instant before, int limit) {
		return 0;
	}

	/**
	 * Deletes the oldest dead letters of each queue that has more than it may keep.
	 * @param keep the number of dead letters that a queue may keep
	 */
	int trimDeadLetters(ToLongFunction<String> keep, int limit);

	/**
	 * Deletes old events from the feed. Events that were written together are deleted
	 * together.
	 * @param before deletes events that happened before this time
	 */
	int pruneEvents(Instant before, int limit);

}
