package io.ojs.handler;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.job.ForeignText;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a job do not fit the parameters of its handler. Trying again cannot
 * help.
 */
public class ArgumentMismatchException extends OjsException {

	private static final long serialVersionUID = 1L;

	/** Reasons tell values that others chose. */
	private static final int LONGEST = 2000;

	ArgumentMismatchException(String message, @Nullable Throwable cause) {
		super(ErrorCode.INVALID_ARGS, ForeignText.escape(message, LONGEST), cause);
	}

}
