package io.ojs.client;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * A job could not be enqueued, or nobody can say whether it was.
 */
public abstract class EnqueueException extends OjsException {

	private static final long serialVersionUID = 1L;

	private final transient Job job;

	protected EnqueueException(ErrorCode code, String message, Job job, @Nullable Throwable cause) {
		super(code, message, cause);
		this.job = job;
	}

	/**
	 * The job.
	 * @return the job as it would have been enqueued
	 */
	public Job job() {
		return this.job;
	}

	/**
	 * Whether the job may have been enqueued all the same. Enqueueing it again under the
	 * same id then risks a second execution, not enqueueing it again risks none.
	 * @return {@code false} if it certainly was not
	 */
	public abstract boolean isOutcomeUnknown();

}
