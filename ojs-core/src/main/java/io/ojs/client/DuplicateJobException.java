package io.ojs.client;

import io.ojs.ErrorCode;
import io.ojs.job.Job;
import io.ojs.job.JobState;

/**
 * A unique job met one that is like it, and its policy has the second one refused (OJS
 * Unique Jobs §5.1). It was not enqueued.
 */
public class DuplicateJobException extends EnqueueException {

	private static final long serialVersionUID = 1L;

	private final String existingJobId;

	private final JobState existingJobState;

	private final String uniqueKey;

	/**
	 * Says which job was met.
	 * @param job the job that was not enqueued
	 * @param existingJobId the id of the one that is there
	 * @param existingJobState its state
	 * @param uniqueKey the key of both
	 */
	public DuplicateJobException(Job job, String existingJobId, JobState existingJobState, String uniqueKey) {
		// Without the key: it is made of arguments, and messages are logged.
		super(ErrorCode.DUPLICATE_JOB,
				"The job of type '%s' was not enqueued: its 'unique' lets it meet no job like it, and job %s, which is %s, is. "
					.formatted(job.type(), existingJobId, existingJobState.wireName())
						+ "Wait for that one to end, or let on_conflict be ignore or replace.",
				job, null);
		this.existingJobId = existingJobId;
		this.existingJobState = existingJobState;
		this.uniqueKey = uniqueKey;
	}

	/**
	 * The id of the job that is there.
	 * @return a UUIDv7
	 */
	public String existingJobId() {
		return this.existingJobId;
	}

	/**
	 * The state of the job that is there.
	 * @return the state when the new job was refused
	 */
	public JobState existingJobState() {
		return this.existingJobState;
	}

	/**
	 * The key of both jobs. Made of their arguments, so not to be logged above debug.
	 * @return 64 hexadecimal digits
	 */
	public String uniqueKey() {
		return this.uniqueKey;
	}

	@Override
	public boolean isOutcomeUnknown() {
		return false;
	}

}
