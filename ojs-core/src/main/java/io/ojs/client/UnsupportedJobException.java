package io.ojs.client;

import io.ojs.ErrorCode;
import io.ojs.OjsException;

/**
 * A job asks for something that this application cannot do with what it has. Nothing was
 * enqueued.
 */
public class UnsupportedJobException extends OjsException {

	private static final long serialVersionUID = 1L;

	/**
	 * Says what cannot be done.
	 * @param field the field that asks for it
	 * @param problem what is missing, and what to do
	 */
	public UnsupportedJobException(String field, String problem) {
		super(ErrorCode.UNSUPPORTED_FEATURE, "The job's '%s' cannot be honoured: %s".formatted(field, problem));
	}

}
