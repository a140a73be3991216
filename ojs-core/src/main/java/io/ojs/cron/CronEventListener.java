package io.ojs.cron;

/**
 * Is notified of crons that fire in this process. Called by the thread that fires them,
 * so it should be quick; an exception is logged and changes nothing.
 */
@FunctionalInterface
public interface CronEventListener {

	/**
	 * Called after a cron has fired.
	 * @param event the event
	 */
	void onEvent(CronEvent event);

}
