package io.ojs.amqp.deadletter;

/**
 * Watches a replay and can end it. Called on the thread that replays, so it should be
 * quick.
 */
@FunctionalInterface
public interface BrokerReplayListener {

	/** Watches nothing. */
	BrokerReplayListener NONE = (progress) -> {
	};

	/**
	 * Some more dead letters have been settled.
	 * @param progress how far the replay is
	 */
	void progressed(ReplayProgress progress);

	/**
	 * Whether the replay is to end. It is asked before it takes the next dead letters, so
	 * those that it holds are settled first.
	 * @return whether it is to end
	 */
	default boolean isCancelled() {
		return false;
	}

}
