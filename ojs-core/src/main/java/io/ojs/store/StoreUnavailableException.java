package io.ojs.store;

import io.ojs.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * The database cannot be reached, or failed for a reason that passes: a deadlock, a lock
 * timeout, a shutdown of the server. A later try may succeed.
 */
public final class StoreUnavailableException extends StoreException {

	private static final long serialVersionUID = 1L;

	private final boolean outcomeUnknown;

	/**
	 * Creates the exception.
	 * @param message the request and the reason of the failure
	 * @param cause the database's error
	 */
	public StoreUnavailableException(String message, @Nullable Throwable cause) {
		this(message, cause, false);
	}

	/**
	 * Creates the exception, with an outcome that may be unknown.
	 * @param message the request and the reason of the failure
	 * @param cause the database's error
	 * @param outcomeUnknown whether the request may have been carried out
	 */
	public StoreUnavailableException(String message, @Nullable Throwable cause, boolean outcomeUnknown) {
		super(ErrorCode.BACKEND_UNAVAILABLE, message, cause);
		this.outcomeUnknown = outcomeUnknown;
	}

	/**
	 * Whether the request may have been carried out: the database did not answer the
	 * commit.
	 * @return whether the outcome is unknown
	 */
	public boolean isOutcomeUnknown() {
		return this.outcomeUnknown;
	}

	@Override
	public boolean isRetryable() {
		return true;
	}

}
