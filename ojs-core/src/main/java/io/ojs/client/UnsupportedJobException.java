package io.ojs.client;

import io.ojs.ErrorCode;
import io.ojs.OjsException;

/**
 * A job has a field that this application cannot honour as it is configured. Nothing was
 * enqueued.
 */
public class UnsupportedJobException extends OjsException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param field the field that cannot be honoured
	 * @param problem what is missing, and the fix
	 */
	public UnsupportedJobException(String field, String problem) {
		super(ErrorCode.UNSUPPORTED_FEATURE, "The job's '%s' cannot be honoured: %s".formatted(field, problem));
	}

}
