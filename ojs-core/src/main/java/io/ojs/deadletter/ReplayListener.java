package io.ojs.deadletter;

/**
 * Follows the progress of a replay.
 */
@FunctionalInterface
public interface ReplayListener {

	/** Never stops a replay. */
	ReplayListener NONE = (replayed, skipped) -> true;

	/**
	 * Called after each batch.
	 * @param replayed the number of jobs replayed so far
	 * @param skipped the number of jobs skipped so far
	 * @return whether to continue
	 */
	boolean onBatch(long replayed, long skipped);

}
