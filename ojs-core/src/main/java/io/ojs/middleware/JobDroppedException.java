package io.ojs.middleware;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.job.Job;

/**
 * A middleware dropped a job. Thrown to callers that need the job, such as the start of a
 * workflow; {@code enqueue} returns the job without a state instead.
 */
public class JobDroppedException extends OjsException {

	private static final long serialVersionUID = 1L;

	private final transient Job job;

	/**
	 * Creates the exception.
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
	 * @return the job that the middleware received, without a state
	 */
	public Job job() {
		return this.job;
	}

}
