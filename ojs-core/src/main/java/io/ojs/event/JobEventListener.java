package io.ojs.event;

/**
 * Receives the events of jobs in this process. The threads that enqueue and work jobs
 * call it, so it should be quick. The library logs its exceptions and otherwise ignores
 * them. With a job store, the thread of another job may publish the success of a job,
 * because several are recorded together.
 */
@FunctionalInterface
public interface JobEventListener {

	/**
	 * Receives an event.
	 * @param event the event
	 */
	void onEvent(JobEvent event);

}
