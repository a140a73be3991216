package io.ojs.cron;

/**
 * Is told of crons that fire in this process. Called by the thread that fires them, so it
 * should be quick; what it throws is logged and changes nothing.
 */
@FunctionalInterface
public interface CronEventListener {

	/**
	 * A cron fired.
	 * @param event what became of it
	 */
	void onEvent(CronEvent event);

}
