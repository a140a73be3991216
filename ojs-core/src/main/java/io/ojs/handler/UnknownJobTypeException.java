package io.ojs.handler;

import io.ojs.ErrorCode;
import io.ojs.OjsException;

/**
 * This application received a job for which it has no handler.
 */
public class UnknownJobTypeException extends OjsException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param type the type of the job
	 * @param queue the queue from which it was received
	 */
	public UnknownJobTypeException(String type, String queue) {
		super(ErrorCode.INVALID_JOB_TYPE,
				("No handler for jobs of type '%s', which came from queue '%s'. Annotate a method with "
						+ "@OjsJobHandler(\"%s\"), or keep other applications' jobs out of this queue.")
					.formatted(type, queue, type));
	}

}
