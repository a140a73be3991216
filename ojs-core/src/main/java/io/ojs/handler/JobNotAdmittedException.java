package io.ojs.handler;

import io.ojs.ErrorCode;
import io.ojs.OjsException;

/**
 * A job of another producer came from a queue that does not take it (OJS Queue
 * Configuration §6.5). No handler is called, and no other attempt would help.
 */
public class JobNotAdmittedException extends OjsException {

	private static final long serialVersionUID = 1L;

	/**
	 * Says why.
	 * @param refusal what its producer would have been told
	 */
	public JobNotAdmittedException(OjsException refusal) {
		super(ErrorCode.valueOf(refusal.code()), String.valueOf(refusal.getMessage()), refusal);
	}

}
