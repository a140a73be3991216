package io.ojs.middleware;

import io.ojs.ErrorCode;
import io.ojs.OjsException;

/**
 * Thrown by a middleware to reject a job that breaks a rule of the application. Nothing
 * was sent.
 */
public class JobRejectedException extends OjsException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param message the reason, for the caller; the HTTP API shows it too
	 */
	public JobRejectedException(String message) {
		super(ErrorCode.INVALID_PAYLOAD, message, null);
	}

}
