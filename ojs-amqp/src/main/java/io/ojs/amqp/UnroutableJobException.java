package io.ojs.amqp;

import io.ojs.ErrorCode;
import io.ojs.client.EnqueueException;
import io.ojs.job.Job;

/**
 * The broker returned a job, since no queue is bound for it. The job was not enqueued.
 */
public class UnroutableJobException extends EnqueueException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param job the job
	 * @param code the reply code of RabbitMQ
	 * @param text the reply text of RabbitMQ
	 */
	public UnroutableJobException(Job job, int code, String text) {
		super(ErrorCode.INVALID_QUEUE,
				"Job %s was returned by the broker (%d %s): no AMQP queue is bound for OJS queue '%s'. "
					.formatted(job.id(), code, text, job.queue())
						+ "Let this application declare its queues (ojs.topology.declaration), or declare the queue and its binding.",
				job, null);
	}

	@Override
	public boolean isOutcomeUnknown() {
		return false;
	}

}
