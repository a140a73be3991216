package io.ojs.client;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import org.jspecify.annotations.Nullable;

/**
 * A request about a job could not be made, or nobody can say whether it was heard.
 */
public class ControlException extends OjsException {

	private static final long serialVersionUID = 1L;

	/**
	 * Says what was asked.
	 * @param message what was asked, of whom, and why it failed
	 * @param cause why, if that is known
	 */
	public ControlException(String message, @Nullable Throwable cause) {
		super(ErrorCode.BACKEND_ERROR, message, cause);
	}

}
