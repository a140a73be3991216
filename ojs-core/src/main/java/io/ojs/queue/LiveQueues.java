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

}
