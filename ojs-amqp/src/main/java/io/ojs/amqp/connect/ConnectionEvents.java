package io.ojs.amqp.connect;

import java.util.List;

import io.ojs.log.SafeLogger;
import org.slf4j.Logger;

/**
 * Tells every listener of an event. A listener that throws harms neither the connection
 * nor the other listeners.
 *
 * @param listeners whom to tell, in this order
 */
public record ConnectionEvents(List<ConnectionEventListener> listeners) {

	private static final Logger logger = SafeLogger.of(ConnectionEvents.class);

	public ConnectionEvents {
		listeners = List.copyOf(listeners);
	}

	/**
	 * Tells everybody.
	 * @param event what happened
	 */
	public void publish(ConnectionEvent event) {
		for (ConnectionEventListener listener : this.listeners) {
			try {
				listener.onEvent(event);
			}
			catch (Throwable ex) {
				// Errors too: the connection must come back whatever a listener lacks.
				logger.warn("A listener failed on {}: {}", event, listener, ex);
			}
		}
	}

}
