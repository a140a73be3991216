package io.ojs.amqp;

/**
 * Receives the events of connections. The thread that detects an event calls the
 * listener, so it should return quickly.
 */
@FunctionalInterface
public interface ConnectionEventListener {

	/**
	 * Receives an event.
	 * @param event the event
	 */
	void onEvent(ConnectionEvent event);

}
