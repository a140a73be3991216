package io.ojs.event;

/**
 * Is told what happens to jobs in this process. Called by the thread that works or
 * enqueues the job, so it should be quick; what it throws is logged and changes nothing.
 */
@FunctionalInterface
public interface JobEventListener {

	/**
	 * Something happened.
	 * @param event what
	 */
	void onEvent(JobEvent event);

}
