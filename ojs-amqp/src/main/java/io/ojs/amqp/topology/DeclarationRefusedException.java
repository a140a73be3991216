package io.ojs.amqp.topology;

import io.ojs.ErrorCode;
import io.ojs.OjsException;

/**
 * The broker is there and refuses to declare something: it may not be declared, or not
 * like this. Trying again cannot help.
 */
public class DeclarationRefusedException extends OjsException {

	private static final long serialVersionUID = 1L;

	DeclarationRefusedException(String message, Throwable cause) {
		super(ErrorCode.BACKEND_ERROR, message, cause);
	}

	DeclarationRefusedException(String what, String answer, Throwable cause) {
		super(ErrorCode.BACKEND_ERROR, "The broker refuses to declare %s. It says: %s".formatted(what, answer), cause);
	}

	@Override
	public boolean isRetryable() {
		return false;
	}

}
