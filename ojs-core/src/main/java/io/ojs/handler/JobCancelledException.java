package io.ojs.handler;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import org.jspecify.annotations.Nullable;

/**
 * The job was cancelled, before or during this attempt (OJS Core §7.6).
 */
public class JobCancelledException extends OjsException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param jobId the id of the job
	 * @param cause the exception that the handler threw when it was interrupted
	 */
	public JobCancelledException(String jobId, @Nullable Throwable cause) {
		super(ErrorCode.JOB_CANCELLED, "Job %s was cancelled.".formatted(jobId), cause);
	}

}
