package io.ojs.client;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import org.jspecify.annotations.Nullable;

/**
 * A request to cancel or find a job failed, or its outcome is unknown.
 */
public class ControlException extends OjsException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param message the request, its receiver, and why it failed
	 * @param cause the cause, if known
	 */
	public ControlException(String message, @Nullable Throwable cause) {
		super(ErrorCode.BACKEND_ERROR, message, cause);
	}

}
