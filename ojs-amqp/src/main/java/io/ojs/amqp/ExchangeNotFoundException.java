package io.ojs.amqp;

import io.ojs.ErrorCode;
import io.ojs.job.Job;

/**
 * The exchange that jobs are published to does not exist (404, AMQP binding §10.1). The
 * next attempt declares it, unless {@code ojs.topology.declaration} is {@code none}.
 */
public class ExchangeNotFoundException extends JobRefusedException {

	static final int CODE = 404;

	private static final long serialVersionUID = 1L;

	ExchangeNotFoundException(Job job, String replyText) {
		super(ErrorCode.NOT_FOUND, job, CODE, replyText,
				"Let this application declare it (ojs.topology.declaration), or declare it yourself.");
	}

	/** The next attempt declares the exchange first. */
	@Override
	public boolean isRetryable() {
		return true;
	}

}
