package io.ojs.queue;

import io.ojs.client.EnqueueException;
import io.ojs.job.Job;

/**
 * A queue does not take a job. Nothing was enqueued; of a batch, nothing at all.
 */
public abstract sealed class QueueRefusedException extends EnqueueException permits QueueFullException,
		QueueNotAcceptingException, UnknownQueueException, JobTypeNotAllowedException, ProducerNotAllowedException {

	private static final long serialVersionUID = 1L;

	private final String code;

	QueueRefusedException(String code, String message, Job job) {
		super(message, job, null);
		this.code = code;
	}

	/**
	 * The code of the error (OJS Errors §4, OJS Queue Configuration §6).
	 * @return such as {@code QUEUE_FULL}
	 */
	public String code() {
		return this.code;
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
