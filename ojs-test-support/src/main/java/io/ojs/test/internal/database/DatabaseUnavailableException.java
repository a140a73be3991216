package io.ojs.test.internal.database;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if there is no PostgreSQL to test with, or if it did not start. The message
 * tells what is missing and what to do.
 */
public class DatabaseUnavailableException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param message what happened, and what to do
	 */
	public DatabaseUnavailableException(String message) {
		super(message);
	}

	/**
	 * Creates the exception.
	 * @param message what happened, and what to do
	 * @param cause the cause, if there is one
	 */
	public DatabaseUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
