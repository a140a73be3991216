package io.ojs.store;

import io.ojs.ErrorCode;
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
		this(ErrorCode.BACKEND_ERROR, message, cause);
	}

	/**
	 * Creates the exception of another kind.
	 * @param code the kind
	 * @param message what was asked, and why it was not done
	 * @param cause what the database said
	 */
	protected StoreException(ErrorCode code, String message, @Nullable Throwable cause) {
		super(code, message, cause);
	}

	/** What a database refuses for good, it refuses again. */
	@Override
	public boolean isRetryable() {
		return false;
	}

}
