package io.ojs.queue.internal;

import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueState;

/**
 * The current states and configurations of queues, as this process knows them.
 */
public interface LiveQueues {

	/**
	 * Queues without management: all are active, with the configuration of the
	 * application.
	 */
	LiveQueues UNMANAGED = new LiveQueues() {

		@Override
		public LiveQueue get(String name) {
			return new LiveQueue(name, QueueState.ACTIVE, QueueConfig.NONE);
		}

		@Override
		public void listen(LiveQueueListener listener) {
			// Queues without management do not change.
		}

	};

	/**
	 * Returns the state and configuration of a queue.
	 * @return the queue; for an unknown queue, the one that a job would create
	 */
	LiveQueue get(String name);

	/** Adds a listener for changes from now on. */
	void listen(LiveQueueListener listener);

	/**
	 * Whether a queue exists, or will exist as soon as the store knows the jobs that this
	 * process enqueues to it.
	 * @return whether this process knows the queue; always {@code true} without
	 * management
	 */
	default boolean exists(String name) {
		return true;
	}

	/** Records that jobs will be enqueued to a queue, which exists from now on. */
	default void notice(String name) {
		// Without management, queues are not recorded.
	}

	/**
	 * Counts the queues that exist.
	 * @return the number of queues for which {@link #exists} is {@code true}; 0 without
	 * management
	 */
	default int count() {
		return 0;
	}

}
