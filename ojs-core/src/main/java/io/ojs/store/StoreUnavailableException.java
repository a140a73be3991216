package io.ojs.store;

import io.ojs.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * The database cannot be reached, or gave up for a reason that passes: a deadlock, a lock
 * that was not free in time, a server that shuts down. Trying again may help.
 */
public final class StoreUnavailableException extends StoreException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param message what was asked, and why it was not done
	 * @param cause what the database said
	 */
	public StoreUnavailableException(String message, @Nullable Throwable cause) {
		super(ErrorCode.BACKEND_UNAVAILABLE, message, cause);
	}

	@Override
	public boolean isRetryable() {
		return true;
	}

}
