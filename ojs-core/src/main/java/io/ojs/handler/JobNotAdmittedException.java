package io.ojs.handler;

import io.ojs.ErrorCode;
import io.ojs.OjsException;

/**
 * A queue has a job of another producer that it does not admit (OJS Queue Configuration
 * §6.5). The worker calls no handler, and the job is not retried.
 */
public class JobNotAdmittedException extends OjsException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param refusal the exception that {@code enqueue} would have thrown to the producer
	 */
	public JobNotAdmittedException(OjsException refusal) {
		super(ErrorCode.valueOf(refusal.code()), String.valueOf(refusal.getMessage()), refusal);
	}

}
