package io.ojs.queue;

/**
 * Is told that something else counts for a queue now. Called by the thread that noticed,
 * so it should be quick.
 */
@FunctionalInterface
public interface LiveQueueListener {

	/**
	 * Something else counts.
	 * @param before what counted until now
	 * @param now what counts
	 */
	void changed(LiveQueue before, LiveQueue now);

}
