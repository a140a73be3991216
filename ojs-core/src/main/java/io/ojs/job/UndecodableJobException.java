package io.ojs.job;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.job.internal.ForeignText;
import org.jspecify.annotations.Nullable;

/**
 * The received bytes are not a valid job. Another attempt cannot help.
 */
public class UndecodableJobException extends OjsException {

	private static final long serialVersionUID = 1L;

	/** Messages show names from hostile bodies, which can be long. */
	private static final int LONGEST = 1000;

	/**
	 * Creates the exception.
	 * @param message the reason; characters in it that are not visible are escaped
	 */
	public UndecodableJobException(String message) {
		super(ErrorCode.INVALID_PAYLOAD, ForeignText.escape(message, LONGEST));
	}

	/**
	 * Creates the exception with a cause.
	 * @param message the reason; characters in it that are not visible are escaped
	 * @param cause the exception that revealed the problem; escaped if necessary
	 */
	public UndecodableJobException(String message, @Nullable Throwable cause) {
		super(ErrorCode.INVALID_PAYLOAD, ForeignText.escape(message, LONGEST),
				(cause != null) ? ForeignText.escape(cause) : null);
	}

}
