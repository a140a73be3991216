package io.ojs.workflow.internal;

import java.util.List;

import io.ojs.event.internal.Listeners;
import io.ojs.workflow.WorkflowEvent;
import io.ojs.workflow.WorkflowEventListener;

/**
 * Notifies all listeners of an event. A listener that throws affects neither the workflow
 * nor the other listeners.
 */
public final class WorkflowEvents {

	private final Listeners<WorkflowEventListener> listeners;

	public WorkflowEvents(List<WorkflowEventListener> listeners) {
		this.listeners = new Listeners<>(listeners);
	}

	/** Notifies all listeners. */
	public void publish(WorkflowEvent event) {
		this.listeners.notifyOf(() -> event.name() + " of workflow " + event.workflowId(),
				(listener) -> listener.onEvent(event));
	}

}
