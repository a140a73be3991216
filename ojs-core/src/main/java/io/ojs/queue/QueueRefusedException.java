package io.ojs.queue;

import io.ojs.ErrorCode;
import io.ojs.client.EnqueueException;
import io.ojs.job.Job;

/**
 * A queue does not take a job. Nothing was enqueued; of a batch, nothing at all.
 */
public abstract sealed class QueueRefusedException extends EnqueueException permits QueueFullException,
		QueueNotAcceptingException, UnknownQueueException, JobTypeNotAllowedException, ProducerNotAllowedException {

	private static final long serialVersionUID = 1L;

	QueueRefusedException(ErrorCode code, String message, Job job) {
		super(code, message, job, null);
	}

	/**
	 * The queue.
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
