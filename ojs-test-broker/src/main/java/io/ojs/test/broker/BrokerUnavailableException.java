package io.ojs.test.broker;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if there is no RabbitMQ to test with, or if it did not start. The message tells
 * the places that were searched, the results, and what to do.
 */
public class BrokerUnavailableException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param message what happened, and what to do
	 */
	public BrokerUnavailableException(String message) {
		super(message);
	}

	/**
	 * Creates the exception.
	 * @param message what happened, and what to do
	 * @param cause the cause, if there is one
	 */
	public BrokerUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
