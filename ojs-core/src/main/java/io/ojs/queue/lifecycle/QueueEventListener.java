package io.ojs.queue.lifecycle;

import io.ojs.queue.QueueFullException;

/**
 * Is told what happens to queues in this process. Called by the thread that does it, so
 * it should be quick; what it throws is logged and changes nothing.
 */
@FunctionalInterface
public interface QueueEventListener {

	/**
	 * Something happened.
	 * @param event what
	 */
	void onEvent(QueueEvent event);

	/**
	 * A full queue did not take a job, after its producer has waited for room if that is
	 * its policy.
	 * @param refused what the producer is told
	 */
	default void onRefusal(QueueFullException refused) {
		// Most listeners look at queues, not at producers.
	}

}
