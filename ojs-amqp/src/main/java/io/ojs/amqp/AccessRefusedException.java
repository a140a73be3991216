package io.ojs.amqp;

import io.ojs.ErrorCode;
import io.ojs.job.Job;

/**
 * The broker does not allow this application to publish to the exchange (403, AMQP
 * binding §10.1).
 */
public class AccessRefusedException extends JobRefusedException {

	static final int CODE = 403;

	private static final long serialVersionUID = 1L;

	AccessRefusedException(Job job, String replyText) {
		super(ErrorCode.PERMISSION_DENIED, job, CODE, replyText,
				"Give the user of this application the permission to write there.");
	}

}
