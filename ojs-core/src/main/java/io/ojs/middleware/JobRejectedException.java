package io.ojs.middleware;

import io.ojs.ErrorCode;
import io.ojs.OjsException;

/**
 * For a middleware that does not want a job: it breaks a rule of the application. Nothing
 * was sent.
 */
public class JobRejectedException extends OjsException {

	private static final long serialVersionUID = 1L;

	/**
	 * Refuses a job.
	 * @param message why, for whoever enqueues it; what workers over HTTP are told
	 */
	public JobRejectedException(String message) {
		super(ErrorCode.INVALID_PAYLOAD, message, null);
	}

}
