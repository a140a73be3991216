package io.ojs.store;

import io.ojs.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * A job with this id exists already.
 */
public final class DuplicateIdException extends StoreException {

	private static final long serialVersionUID = 1L;

	private final String jobId;

	/**
	 * Creates the exception.
	 * @param jobId the id that is taken
	 * @param cause the database's error; {@code null} if there is none
	 */
	public DuplicateIdException(String jobId, @Nullable Throwable cause) {
		super(ErrorCode.DUPLICATE_JOB,
				"There is a job with the id '%s' already; leave the id out to have one made.".formatted(jobId), cause);
		this.jobId = jobId;
	}

	/**
	 * Returns the id that is taken.
	 * @return the id of the job
	 */
	public String jobId() {
		return this.jobId;
	}

}
