package io.ojs.middleware;

import io.ojs.ErrorCode;
import io.ojs.OjsException;

/**
 * A change of a chain of middleware is invalid, or came after the start of the
 * application.
 */
public class InvalidMiddlewareException extends OjsException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates it.
	 * @param message what is wrong, and how to mend it
	 */
	public InvalidMiddlewareException(String message) {
		super(ErrorCode.APPLICATION_MISCONFIGURED, message, null);
	}

}
