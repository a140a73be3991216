package io.ojs.amqp;

import java.time.Duration;

import io.ojs.ErrorCode;
import io.ojs.client.EnqueueException;
import io.ojs.job.Job;

/**
 * The broker did not confirm a job in time. It may have the job.
 */
public class ConfirmTimeoutException extends EnqueueException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param job the job
	 * @param timeout how long the confirm was awaited
	 */
	public ConfirmTimeoutException(Job job, Duration timeout) {
		super(ErrorCode.BACKEND_TIMEOUT,
				"The broker did not confirm job %s for queue '%s' within %s (ojs.publisher.confirm-timeout). It may have the job all the same."
					.formatted(job.id(), job.queue(), timeout),
				job, null);
	}

	@Override
	public boolean isOutcomeUnknown() {
		return true;
	}

}
