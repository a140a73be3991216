package io.ojs.test.jobs;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * The handler of a job failed that ran while it was enqueued. Its cause is what the
 * handler threw. Only in tests, and only in {@link TestMode#INLINE}: elsewhere whoever
 * enqueues a job never hears of that.
 */
public class JobFailedInlineException extends OjsException {

	private static final long serialVersionUID = 1L;

	private final transient Job job;

	/**
	 * Creates it.
	 * @param job the job as it is after the attempt
	 * @param cause what the handler, or the way to it, threw
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
