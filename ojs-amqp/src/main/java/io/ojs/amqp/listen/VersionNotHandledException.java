package io.ojs.amqp.listen;

import java.io.Serial;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.job.Job;

/**
 * The job of a delivery has a version that no handler here takes, so it is left to
 * others. Only on the way from the listener to the interceptor around it, unless the
 * broker takes no message to those others.
 */
final class VersionNotHandledException extends OjsException {

	@Serial
	private static final long serialVersionUID = 1L;

	VersionNotHandledException(Job job) {
		super(ErrorCode.INVALID_JOB_TYPE,
				"No handler here takes version %s of jobs of type '%s'.".formatted(job.version(), job.type()), null);
	}

}
