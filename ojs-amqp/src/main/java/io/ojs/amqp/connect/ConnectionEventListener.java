package io.ojs.amqp.connect;

/**
 * Is told what happens to connections. Called by the thread that found out, so it should
 * be quick.
 */
@FunctionalInterface
public interface ConnectionEventListener {

	/**
	 * Something happened.
	 * @param event what
	 */
	void onEvent(ConnectionEvent event);

}
