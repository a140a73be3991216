package io.ojs.store;

import io.ojs.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * There is a job with this id already.
 */
public final class DuplicateIdException extends StoreException {

	private static final long serialVersionUID = 1L;

	private final String jobId;

	/**
	 * Creates the exception.
	 * @param jobId the id that is taken
	 * @param cause what the database said, if it said anything
	 */
	public DuplicateIdException(String jobId, @Nullable Throwable cause) {
		super(ErrorCode.DUPLICATE_JOB,
				"There is a job with the id '%s' already; leave the id out to have one made.".formatted(jobId), cause);
		this.jobId = jobId;
	}

	/**
	 * The id.
	 * @return the id that is taken
	 */
	public String jobId() {
		return this.jobId;
	}

}
