package io.ojs.queue;

/**
 * What counts for queues now, in this process.
 */
public interface LiveQueues {

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
