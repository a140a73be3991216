package io.ojs.json;

import io.ojs.OjsException;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that claimed to be a job are none. Trying again cannot help.
 */
public class UndecodableJobException extends OjsException {

	private static final long serialVersionUID = 1L;

	/**
	 * Says why the bytes are no job.
	 * @param message the reason
	 */
	public UndecodableJobException(String message) {
		super(message);
	}

	/**
	 * Says why the bytes are no job.
	 * @param message the reason
	 * @param cause what revealed it
	 */
	public UndecodableJobException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
