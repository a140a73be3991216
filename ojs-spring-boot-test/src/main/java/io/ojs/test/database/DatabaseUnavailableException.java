package io.ojs.test.database;

import org.jspecify.annotations.Nullable;

/**
 * There is no PostgreSQL to test with, or it did not start. The message says what is
 * missing and what to do.
 */
public class DatabaseUnavailableException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param message what was met, and what to do
	 */
	public DatabaseUnavailableException(String message) {
		super(message);
	}

	/**
	 * Creates the exception.
	 * @param message what was met, and what to do
	 * @param cause what went wrong below, if anything did
	 */
	public DatabaseUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
