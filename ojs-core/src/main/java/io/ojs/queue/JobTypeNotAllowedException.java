package io.ojs.queue;

import java.util.List;

import io.ojs.ErrorCode;
import io.ojs.job.Job;

/**
 * The queue does not take jobs of this type (OJS Queue Configuration §6.5):
 * {@code JOB_TYPE_NOT_ALLOWED}.
 */
public final class JobTypeNotAllowedException extends QueueRefusedException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param job the job
	 * @param allowed the values that the queue allows
	 */
	public JobTypeNotAllowedException(Job job, List<String> allowed) {
		super(ErrorCode.JOB_TYPE_NOT_ALLOWED,
				"Queue '%s' takes no jobs of type '%s', only %s. Use another queue, or change its allowed_job_types."
					.formatted(job.queue(), job.type(), allowed),
				job);
	}

}
