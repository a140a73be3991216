package io.ojs.test.broker;

import org.jspecify.annotations.Nullable;

/**
 * There is no RabbitMQ to test with, or the one there is did not start. The message says
 * what was looked for, what was found, and what to do.
 */
public class BrokerUnavailableException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param message what was met, and what to do
	 */
	public BrokerUnavailableException(String message) {
		super(message);
	}

	/**
	 * Creates the exception.
	 * @param message what was met, and what to do
	 * @param cause what went wrong below, if anything did
	 */
	public BrokerUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
