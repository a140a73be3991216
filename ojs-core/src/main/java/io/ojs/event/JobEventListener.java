package io.ojs.event;

/**
 * Is told what happens to jobs in this process. Called by a thread that works or enqueues
 * jobs, so it should be quick; what it throws is logged and changes nothing. With a job
 * store it may be the thread of another job that tells of the success of this one, since
 * many of them are recorded together.
 */
@FunctionalInterface
public interface JobEventListener {

	/**
	 * Something happened.
	 * @param event what
	 */
	void onEvent(JobEvent event);

}
