package io.ojs.store;

/**
 * There is a job with this id already.
 */
public final class DuplicateIdException extends StoreException {

	private static final long serialVersionUID = 1L;

	private final String jobId;

	/**
	 * Creates the exception.
	 * @param jobId the id that is taken
	 * @param cause what the database said
	 */
	public DuplicateIdException(String jobId, Throwable cause) {
		super("There is a job with the id '%s' already; leave the id out to have one made.".formatted(jobId), cause);
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
