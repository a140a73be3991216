package io.ojs.amqp;

import io.ojs.ErrorCode;
import io.ojs.client.EnqueueException;
import io.ojs.job.Job;

/**
 * AMQP cannot carry a job: a property is too long, or its headers do not fit into a
 * frame. The job was not enqueued.
 */
public class UnsendableJobException extends EnqueueException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param job the job
	 * @param cause the cause
	 */
	public UnsendableJobException(Job job, Throwable cause) {
		super(ErrorCode.METADATA_TOO_LARGE,
				"Job %s for queue '%s' cannot be carried by AMQP: %s. Make its tags, keys and ids shorter."
					.formatted(job.id(), job.queue(), cause.getMessage()),
				job, cause);
	}

	@Override
	public boolean isOutcomeUnknown() {
		return false;
	}

}
