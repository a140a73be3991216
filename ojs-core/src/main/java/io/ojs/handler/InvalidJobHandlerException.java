package io.ojs.handler;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import org.jspecify.annotations.Nullable;

/**
 * The declaration of a handler or an upcaster is invalid. The application does not start.
 */
public class InvalidJobHandlerException extends OjsException {

	private static final long serialVersionUID = 1L;

	private final String fix;

	/**
	 * Creates the exception.
	 * @param origin where the handler is declared
	 * @param problem what is wrong with it
	 * @param fix how to fix it
	 * @param cause the exception that revealed the problem
	 */
	public InvalidJobHandlerException(String origin, String problem, String fix, @Nullable Throwable cause) {
		this("The job handler of %s cannot be used: %s".formatted(origin, problem), cause, fix);
	}

	private InvalidJobHandlerException(String message, @Nullable Throwable cause, String fix) {
		super(ErrorCode.APPLICATION_MISCONFIGURED, message, cause);
		this.fix = fix;
	}

	/**
	 * Creates the exception for a job upcaster.
	 * @param origin where the upcaster is declared
	 * @param problem what is wrong with it
	 * @param fix how to fix it
	 * @return the exception
	 */
	public static InvalidJobHandlerException ofUpcaster(String origin, String problem, String fix) {
		return new InvalidJobHandlerException("The job upcaster of %s cannot be used: %s".formatted(origin, problem),
				null, fix);
	}

	/**
	 * How to fix the declaration.
	 * @return a sentence
	 */
	public String fix() {
		return this.fix;
	}

}
