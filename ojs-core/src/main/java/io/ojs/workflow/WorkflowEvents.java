package io.ojs.workflow;

import java.util.List;

import io.ojs.log.SafeLogger;
import org.slf4j.Logger;

/**
 * Tells every listener of an event. A listener that throws harms neither the workflow nor
 * the other listeners.
 */
public final class WorkflowEvents {

	private static final Logger logger = SafeLogger.of(WorkflowEvents.class);

	private final List<WorkflowEventListener> listeners;

	/**
	 * Creates a multicaster.
	 * @param listeners whom to tell, in this order
	 */
	public WorkflowEvents(List<WorkflowEventListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	/**
	 * Tells everybody.
	 * @param event what happened
	 */
	public void publish(WorkflowEvent event) {
		for (WorkflowEventListener listener : this.listeners) {
			try {
				listener.onEvent(event);
			}
			catch (Throwable ex) {
				// Errors too: it has happened, whatever a listener's class path lacks.
				logger.warn("A listener failed on {} of workflow {}: {}", event.name(), event.workflowId(), listener,
						ex);
			}
		}
	}

}
