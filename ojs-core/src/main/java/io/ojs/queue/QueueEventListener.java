package io.ojs.queue;

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

}
