package io.ojs.middleware;

import io.ojs.ErrorCode;
import io.ojs.OjsException;

/**
 * A chain of middleware was asked for what it cannot be.
 */
public class InvalidMiddlewareException extends OjsException {

	private static final long serialVersionUID = 1L;

	InvalidMiddlewareException(String message) {
		super(ErrorCode.APPLICATION_MISCONFIGURED, message, null);
	}

}
