package io.ojs.deadletter;

/**
 * Receives the progress of a replay and can cancel it. The replaying thread calls it, so
 * it should return quickly.
 */
@FunctionalInterface
public interface ReplayListener {

	/** Ignores progress and never cancels. */
	ReplayListener NONE = (progress) -> {
	};

	/**
	 * Called after each batch of dead letters.
	 * @param progress the progress of the replay
	 */
	void progressed(ReplayProgress progress);

	/**
	 * Whether to cancel the replay. It settles the dead letters that it holds before it
	 * ends.
	 * @return whether to cancel
	 */
	default boolean isCancelled() {
		return false;
	}

}
