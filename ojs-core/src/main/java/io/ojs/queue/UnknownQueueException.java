package io.ojs.queue;

import io.ojs.ErrorCode;
import io.ojs.job.Job;

/**
 * The queue does not exist, and a job does not create it (OJS Queue Configuration §5.2):
 * {@code INVALID_QUEUE}.
 */
public final class UnknownQueueException extends QueueRefusedException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param job the job
	 */
	public UnknownQueueException(Job job) {
		super(ErrorCode.INVALID_QUEUE,
				("There is no queue '%s', and ojs.strict-queues is true. Create it, or give it a property under "
						+ "ojs.queues, or correct the name.")
					.formatted(job.queue()),
				job);
	}

}
