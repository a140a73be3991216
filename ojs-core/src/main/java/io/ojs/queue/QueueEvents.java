package io.ojs.queue;

import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells every listener of an event. A listener that throws harms neither the queue nor
 * the other listeners.
 */
public final class QueueEvents {

	private static final Logger logger = LoggerFactory.getLogger(QueueEvents.class);

	private final List<QueueEventListener> listeners;

	/**
	 * Creates a multicaster.
	 * @param listeners whom to tell, in this order
	 */
	public QueueEvents(List<QueueEventListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	/**
	 * Tells everybody.
	 * @param event what happened
	 */
	public void publish(QueueEvent event) {
		for (QueueEventListener listener : this.listeners) {
			try {
				listener.onEvent(event);
			}
			catch (Throwable ex) {
				logger.warn("A listener failed on {} of queue '{}': {}", event.name(), event.queue(), listener, ex);
			}
		}
	}

}
