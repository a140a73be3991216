package io.ojs.amqp;

import io.ojs.ErrorCode;
import io.ojs.client.EnqueueException;
import io.ojs.job.Job;

/**
 * The broker nacked a job: its queue is full, or the broker could not store it. The job
 * was not enqueued.
 */
public class NackedJobException extends EnqueueException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param job the job
	 */
	public NackedJobException(Job job) {
		super(ErrorCode.QUEUE_FULL,
				"The broker refused job %s for queue '%s' (basic.nack): the queue is full, or the broker could not store it. "
					.formatted(job.id(), job.queue()) + "Enqueue it again later.",
				job, null);
	}

	@Override
	public boolean isOutcomeUnknown() {
		return false;
	}

}
