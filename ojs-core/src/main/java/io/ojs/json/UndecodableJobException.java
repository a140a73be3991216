package io.ojs.json;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.job.ForeignText;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that claimed to be a job are none. Trying again cannot help.
 */
public class UndecodableJobException extends OjsException {

	private static final long serialVersionUID = 1L;

	/** Reasons tell names that a hostile body is free to choose. */
	private static final int LONGEST = 1000;

	/**
	 * Says why the bytes are no job.
	 * @param message the reason; what is no visible character in it is escaped
	 */
	public UndecodableJobException(String message) {
		super(ErrorCode.INVALID_PAYLOAD, ForeignText.escape(message, LONGEST));
	}

	/**
	 * Says why the bytes are no job.
	 * @param message the reason; what is no visible character in it is escaped
	 * @param cause what revealed it; escaped, if it is to be
	 */
	public UndecodableJobException(String message, @Nullable Throwable cause) {
		super(ErrorCode.INVALID_PAYLOAD, ForeignText.escape(message, LONGEST),
				(cause != null) ? ForeignText.escape(cause) : null);
	}

}
