package io.ojs.store;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import org.jspecify.annotations.Nullable;

/**
 * The job store failed, or refused a request.
 */
public class StoreException extends OjsException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param message the request and the reason of the failure
	 * @param cause the database's error
	 */
	public StoreException(String message, @Nullable Throwable cause) {
		this(ErrorCode.BACKEND_ERROR, message, cause);
	}

	/**
	 * Creates the exception with another error code.
	 * @param code the error code
	 * @param message the request and the reason of the failure
	 * @param cause the database's error
	 */
	protected StoreException(ErrorCode code, String message, @Nullable Throwable cause) {
		super(code, message, cause);
	}

	/** Returns {@code false}: the database would refuse the same request again. */
	@Override
	public boolean isRetryable() {
		return false;
	}

}
