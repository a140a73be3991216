package io.ojs.amqp.internal.connect;

import java.util.List;

import io.ojs.amqp.ConnectionEvent;
import io.ojs.amqp.ConnectionEventListener;
import io.ojs.internal.log.SafeLogger;
import org.slf4j.Logger;

/**
 * Passes events to all listeners. A listener that throws affects neither the connection
 * nor other listeners.
 *
 * @param listeners the listeners, in the order of their calls
 */
public record ConnectionEvents(List<ConnectionEventListener> listeners) {

	private static final Logger logger = SafeLogger.of(ConnectionEvents.class);

	public ConnectionEvents {
		listeners = List.copyOf(listeners);
	}

	/** Passes an event to all listeners. */
	public void publish(ConnectionEvent event) {
		for (ConnectionEventListener listener : this.listeners) {
			try {
				listener.onEvent(event);
			}
			catch (Throwable ex) {
				// Errors too, so that the connection comes back whatever a listener
				// throws.
				logger.warn("A listener failed on {}: {}", event, listener, ex);
			}
		}
	}

}
