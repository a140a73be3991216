package io.ojs.queue;

/**
 * Is notified of events of queues in this process. Called by the thread that causes them,
 * so it should be quick; an exception is logged and changes nothing.
 */
@FunctionalInterface
public interface QueueEventListener {

	/**
	 * Called after an event.
	 * @param event the event
	 */
	void onEvent(QueueEvent event);

	/**
	 * Called when a full queue has refused a job; with the overflow policy {@code block},
	 * after its producer has waited for room.
	 * @param refused the exception of the producer
	 */
	default void onRefusal(QueueFullException refused) {
		// Most listeners need events only.
	}

}
