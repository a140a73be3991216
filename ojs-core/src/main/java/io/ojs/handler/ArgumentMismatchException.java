package io.ojs.handler;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.crypto.JobEncryption;
import io.ojs.job.ForeignText;
import io.ojs.job.InvalidJobException;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a job do not fit the parameters of its handler. The job is not
 * retried.
 */
public class ArgumentMismatchException extends OjsException {

	private static final long serialVersionUID = 1L;

	/** Messages show values from outside, which can be long. */
	private static final int LONGEST = 2000;

	/** The words before the reason, if there is one. */
	static final String BRINGS = "cannot take what the job brings. ";

	ArgumentMismatchException(String message, @Nullable Throwable cause) {
		super(ErrorCode.INVALID_ARGS, ForeignText.escape(message, LONGEST), cause);
	}

	/**
	 * Copies the exception without the values of arguments.
	 * @return an exception that shows {@value JobEncryption#PLACEHOLDER} instead
	 */
	public ArgumentMismatchException hidden() {
		if (!(getCause() instanceof InvalidJobException reason)) {
			return this;
		}
		String message = String.valueOf(getMessage());
		int end = message.indexOf(BRINGS);
		return new ArgumentMismatchException(((end >= 0) ? message.substring(0, end + BRINGS.length()) : "")
				+ JobEncryption.hidden(reason).getMessage(), null);
	}

}
