package io.ojs.amqp;

import io.ojs.ErrorCode;
import io.ojs.OjsException;

/**
 * The broker refuses to declare an exchange, queue or binding: the user may not declare
 * it, or not with these arguments. A retry cannot help.
 */
public class DeclarationRefusedException extends OjsException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param message the message
	 * @param cause the cause
	 */
	public DeclarationRefusedException(String message, Throwable cause) {
		super(ErrorCode.BACKEND_ERROR, message, cause);
	}

	/**
	 * Creates the exception.
	 * @param what what is declared
	 * @param answer the answer of RabbitMQ
	 * @param cause the cause
	 */
	public DeclarationRefusedException(String what, String answer, Throwable cause) {
		super(ErrorCode.BACKEND_ERROR, "The broker refuses to declare %s. It says: %s".formatted(what, answer), cause);
	}

	@Override
	public boolean isRetryable() {
		return false;
	}

}
