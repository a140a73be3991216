package io.ojs.test.jobs;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by enqueueing, in tests with {@link TestMode#INLINE} only, if the handler of the
 * job failed. The cause is the exception of the handler. In an application, the caller
 * that enqueues a job does not learn of its failure.
 */
public class JobFailedInlineException extends OjsException {

	private static final long serialVersionUID = 1L;

	private final transient Job job;

	/**
	 * Creates it.
	 * @param job the job as it is after the attempt
	 * @param cause the exception of the handler, or of a step before it
	 */
	public JobFailedInlineException(Job job, @Nullable Throwable cause) {
		super(ErrorCode.HANDLER_ERROR, "Job %s of type '%s' was run as it was enqueued, and failed; it is %s now: %s"
			.formatted(job.id(), job.type(), (job.state() != null) ? job.state().wireName() : "nowhere", cause), cause);
		this.job = job;
	}

	/**
	 * The job.
	 * @return the job as it is after the attempt
	 */
	public Job job() {
		return this.job;
	}

}
