package io.ojs.amqp.listen;

import java.io.Serial;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.job.Job;

/**
 * The job of a delivery has a version that no handler here takes, so it is left to
 * others. Never thrown: what the span and, if the broker takes the job to no other
 * worker, the dead letter say.
 */
final class VersionNotHandledException extends OjsException {

	@Serial
	private static final long serialVersionUID = 1L;

	VersionNotHandledException(Job job) {
		super(ErrorCode.INVALID_JOB_TYPE,
				"No handler here takes version %s of jobs of type '%s'.".formatted(job.version(), job.type()), null);
	}

}
