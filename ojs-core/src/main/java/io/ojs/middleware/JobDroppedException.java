package io.ojs.middleware;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.job.Job;

/**
 * A middleware dropped a job that somebody cannot go on without, such as a step of a
 * workflow. Whoever just enqueues one gets it back without a state instead.
 */
public class JobDroppedException extends OjsException {

	private static final long serialVersionUID = 1L;

	private final transient Job job;

	/**
	 * Creates it.
	 * @param job the job
	 * @param middleware the name of the middleware
	 */
	public JobDroppedException(Job job, String middleware) {
		super(ErrorCode.INVALID_PAYLOAD,
				"Job %s of type '%s' was dropped by the middleware '%s'.".formatted(job.id(), job.type(), middleware),
				null);
		this.job = job;
	}

	/**
	 * The job.
	 * @return the job as the middleware got it, without a state
	 */
	public Job job() {
		return this.job;
	}

}
