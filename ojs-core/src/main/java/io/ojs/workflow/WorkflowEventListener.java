package io.ojs.workflow;

/**
 * Is notified of events of workflows.
 */
@FunctionalInterface
public interface WorkflowEventListener {

	/**
	 * Called after an event has been committed.
	 * @param event the event
	 */
	void onEvent(WorkflowEvent event);

}
