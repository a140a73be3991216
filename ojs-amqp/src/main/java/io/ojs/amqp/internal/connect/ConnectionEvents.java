package io.ojs.amqp.internal.connect;

import java.util.List;

import io.ojs.amqp.ConnectionEvent;
import io.ojs.amqp.ConnectionEventListener;
import io.ojs.event.internal.Listeners;

/**
 * Passes events to all listeners. A listener that throws affects neither the connection
 * nor other listeners.
 */
public final class ConnectionEvents {

	private final Listeners<ConnectionEventListener> listeners;

	/**
	 * Creates the events.
	 * @param listeners the listeners, in the order of their calls
	 */
	public ConnectionEvents(List<ConnectionEventListener> listeners) {
		this.listeners = new Listeners<>(listeners);
	}

	/** Passes an event to all listeners. */
	public void publish(ConnectionEvent event) {
		this.listeners.notifyOf(event::toString, (listener) -> listener.onEvent(event));
	}

}
