package io.ojs.queue;

import io.ojs.ErrorCode;
import io.ojs.client.EnqueueException;
import io.ojs.job.Job;

/**
 * A queue refuses a job. No job of the call was enqueued.
 */
public abstract sealed class QueueRefusedException extends EnqueueException permits QueueFullException,
		QueueNotAcceptingException, UnknownQueueException, JobTypeNotAllowedException, ProducerNotAllowedException {

	private static final long serialVersionUID = 1L;

	QueueRefusedException(ErrorCode code, String message, Job job) {
		super(code, message, job, null);
	}

	/**
	 * Returns the queue.
	 * @return its name
	 */
	public String queue() {
		return job().queue();
	}

	@Override
	public boolean isOutcomeUnknown() {
		return false;
	}

}
