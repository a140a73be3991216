package io.ojs.deadletter;

/**
 * Follows a replay.
 */
@FunctionalInterface
public interface ReplayListener {

	/** Has no opinion. */
	ReplayListener NONE = (replayed, skipped) -> true;

	/**
	 * A batch is done.
	 * @param replayed how many were replayed until now
	 * @param skipped how many were meant and stay
	 * @return whether to go on
	 */
	boolean onBatch(long replayed, long skipped);

}
