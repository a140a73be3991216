package io.ojs.handler;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.job.internal.ForeignText;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a job do not fit the parameters of its handler. The job is not
 * retried.
 */
public class ArgumentMismatchException extends OjsException {

	private static final long serialVersionUID = 1L;

	/** Messages show values from outside, which can be long. */
	private static final int LONGEST = 2000;

	/**
	 * Creates the exception.
	 * @param message what does not fit
	 * @param cause the exception that revealed it; {@code null} if there is none
	 */
	public ArgumentMismatchException(String message, @Nullable Throwable cause) {
		super(ErrorCode.INVALID_ARGS, ForeignText.escape(message, LONGEST), cause);
	}

}
