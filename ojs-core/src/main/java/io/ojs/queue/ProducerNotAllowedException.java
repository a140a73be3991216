package io.ojs.queue;

import java.util.List;

import io.ojs.ErrorCode;
import io.ojs.job.Job;

/**
 * The queue does not take jobs from this producer (OJS Queue Configuration §6.5):
 * {@code PERMISSION_DENIED}.
 */
public final class ProducerNotAllowedException extends QueueRefusedException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param job the job
	 * @param producer the producer
	 * @param allowed the values that the queue allows
	 */
	public ProducerNotAllowedException(Job job, String producer, List<String> allowed) {
		super(ErrorCode.PERMISSION_DENIED,
				"Queue '%s' takes no jobs from '%s', only from %s. Change its producers, or set ojs.producer."
					.formatted(job.queue(), producer, allowed),
				job);
	}

}
