package io.ojs.store;

import io.ojs.OjsException;
import org.jspecify.annotations.Nullable;

/**
 * The job store did not do what it was asked.
 */
public class StoreException extends OjsException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param message what was asked, and why it was not done
	 * @param cause what the database said
	 */
	public StoreException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
