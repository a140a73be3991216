package io.ojs.store;

import io.ojs.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * The database cannot be reached, or gave up for a reason that passes: a deadlock, a lock
 * that was not free in time, a server that shuts down. Trying again may help.
 */
public final class StoreUnavailableException extends StoreException {

	private static final long serialVersionUID = 1L;

	private final boolean outcomeUnknown;

	/**
	 * Creates the exception.
	 * @param message what was asked, and why it was not done
	 * @param cause what the database said
	 */
	public StoreUnavailableException(String message, @Nullable Throwable cause) {
		this(message, cause, false);
	}

	/**
	 * Creates the exception.
	 * @param message what was asked, and why it was not done
	 * @param cause what the database said
	 * @param outcomeUnknown whether it may have been done all the same
	 */
	public StoreUnavailableException(String message, @Nullable Throwable cause, boolean outcomeUnknown) {
		super(ErrorCode.BACKEND_UNAVAILABLE, message, cause);
		this.outcomeUnknown = outcomeUnknown;
	}

	/**
	 * Whether what was asked may have been done all the same: the database did not answer
	 * when it was to be committed.
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
