package io.ojs.handler;

import io.ojs.OjsException;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a job do not fit the parameters of its handler. Trying again cannot
 * help.
 */
public class ArgumentMismatchException extends OjsException {

	private static final long serialVersionUID = 1L;

	ArgumentMismatchException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
