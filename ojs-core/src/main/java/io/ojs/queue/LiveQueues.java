package io.ojs.queue;

/**
 * What counts for queues now, in this process.
 */
public interface LiveQueues {

	/**
	 * Queues that nobody can change: they are active, and what the application says
	 * counts.
	 */
	LiveQueues UNMANAGED = new LiveQueues() {

		@Override
		public LiveQueue get(String name) {
			return new LiveQueue(name, QueueState.ACTIVE, QueueConfig.NONE);
		}

		@Override
		public void listen(LiveQueueListener listener) {
			// Nothing will ever change.
		}

	};

	/**
	 * A queue.
	 * @param name its name
	 * @return what counts; for a queue that nobody knows, what would
	 */
	LiveQueue get(String name);

	/**
	 * Asks to be told of changes from now on.
	 * @param listener whom to tell
	 */
	void listen(LiveQueueListener listener);

	/**
	 * Whether there is such a queue, or will be as soon as the jobs that this process
	 * enqueues to it are noted.
	 * @param name its name
	 * @return whether it is known to this process; always {@code true} where queues are
	 * not managed
	 */
	default boolean exists(String name) {
		return true;
	}

	/**
	 * Says that jobs will be enqueued to a queue, which counts among those that there are
	 * from now on.
	 * @param name its name
	 */
	default void notice(String name) {
		// Nothing is counted where queues are not managed.
	}

	/**
	 * Number of queues that there are.
	 * @return those for which {@link #exists} is true; 0 where queues are not managed
	 */
	default int count() {
		return 0;
	}

}
