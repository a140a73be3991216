package io.ojs.store;

import java.time.Instant;
import java.util.function.ToLongFunction;

/**
 * Forgets what has ended long ago.
 */
public interface RetentionStore {

	/**
	 * Deletes jobs, and whatever belongs to them, whose retention is over. Not those of
	 * workflows that have not ended, and not unique ones that stand in the way of others
	 * like them: these are looked at again when the period of their policy is over.
	 * @param now the present
	 * @param limit how many jobs to look at, at most
	 * @return how many were looked at
	 */
	int prune(Instant now, int limit);

	/**
	 * Deletes workflows whose retention is over.
	 * @param now the present
	 * @param limit how many at most
	 * @return how many
	 */
	default int pruneWorkflows(Instant now, int limit) {
		return 0;
	}

	/**
	 * Deletes the oldest dead letters of each queue that has too many.
	 * @param keep how many a queue may keep
	 * @param limit how many to delete at most
	 * @return how many
	 */
	int trimDeadLetters(ToLongFunction<String> keep, int limit);

	/**
	 * Deletes events of the feed, those together that were written together.
	 * @param before only those that happened before
	 * @param limit how many of these groups at most
	 * @return how many groups
	 */
	int pruneEvents(Instant before, int limit);

}
