package io.ojs.workflow.internal;

import java.util.List;

import io.ojs.internal.log.SafeLogger;
import io.ojs.workflow.WorkflowEvent;
import io.ojs.workflow.WorkflowEventListener;
import org.slf4j.Logger;

/**
 * Notifies all listeners of an event. A listener that throws affects neither the workflow
 * nor the other listeners.
 */
public final class WorkflowEvents {

	private static final Logger logger = SafeLogger.of(WorkflowEvents.class);

	private final List<WorkflowEventListener> listeners;

	public WorkflowEvents(List<WorkflowEventListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	/** Notifies all listeners. */
	public void publish(WorkflowEvent event) {
		for (WorkflowEventListener listener : this.listeners) {
			try {
				listener.onEvent(event);
			}
			catch (Throwable ex) {
				// Errors too, such as of a missing class: the event has been committed.
				logger.warn("A listener failed on {} of workflow {}: {}", event.name(), event.workflowId(), listener,
						ex);
			}
		}
	}

}
