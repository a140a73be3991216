package io.ojs.amqp.deadletter;

/**
 * Receives the progress of a replay and can cancel it. The replaying thread calls it, so
 * it should return quickly.
 */
@FunctionalInterface
public interface BrokerReplayListener {

	/** Ignores progress and never cancels. */
	BrokerReplayListener NONE = (progress) -> {
	};

	/**
	 * Called when further dead letters have been settled.
	 * @param progress the progress of the replay
	 */
	void progressed(ReplayProgress progress);

	/**
	 * Whether to cancel the replay. The replay settles the dead letters that it holds
	 * before it ends.
	 * @return whether to cancel
	 */
	default boolean isCancelled() {
		return false;
	}

}
