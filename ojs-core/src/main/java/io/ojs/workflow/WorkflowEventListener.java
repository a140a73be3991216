package io.ojs.workflow;

/**
 * Is told what happens to workflows.
 */
@FunctionalInterface
public interface WorkflowEventListener {

	/**
	 * Something happened, and is committed.
	 * @param event what happened
	 */
	void onEvent(WorkflowEvent event);

}
