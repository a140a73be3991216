package io.ojs.amqp.internal.listen;

import java.io.Serial;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.job.Job;

/**
 * No handler of this process handles the version of a delivered job, so that the job is
 * left to other processes. It is never thrown. A span reports it, and the dead letter
 * does if the job cannot be passed on.
 */
final class VersionNotHandledException extends OjsException {

	@Serial
	private static final long serialVersionUID = 1L;

	VersionNotHandledException(Job job) {
		super(ErrorCode.INVALID_JOB_TYPE,
				"No handler here takes version %s of jobs of type '%s'.".formatted(job.version(), job.type()), null);
	}

}
