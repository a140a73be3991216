package io.ojs.queue.internal;

/**
 * Is notified when the state or configuration of a queue has changed. Called by the
 * thread that noticed the change, so it should be quick.
 */
@FunctionalInterface
public interface LiveQueueListener {

	/**
	 * Called after a change.
	 * @param before the queue before the change
	 * @param now the queue after the change
	 */
	void changed(LiveQueue before, LiveQueue now);

}
