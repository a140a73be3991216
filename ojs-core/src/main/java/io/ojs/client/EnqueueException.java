package io.ojs.client;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * A job was not enqueued, or it is unknown whether it was.
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
	 * Whether the job may have been enqueued in spite of the exception. If so, enqueueing
	 * it again with the same id risks a second execution, and not enqueueing it again
	 * risks none at all.
	 * @return {@code false} if the job was certainly not enqueued
	 */
	public abstract boolean isOutcomeUnknown();

}
