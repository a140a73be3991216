package io.ojs.client;

import java.util.Map;

import io.ojs.ErrorCode;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * A unique job was not enqueued, because there is a job like it and the policy of the new
 * job rejects it (OJS Unique Jobs §5.1).
 */
public class DuplicateJobException extends EnqueueException {

	private static final long serialVersionUID = 1L;

	private final String existingJobId;

	private final JobState existingJobState;

	private final String uniqueKey;

	/**
	 * Creates the exception.
	 * @param job the job that was not enqueued
	 * @param existingJobId the id of the existing job
	 * @param existingJobState the state of the existing job
	 * @param uniqueKey the unique key of both jobs
	 */
	public DuplicateJobException(Job job, String existingJobId, JobState existingJobState, String uniqueKey) {
		// Without the key, which is made of the arguments: messages are logged.
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
	 * The id of the existing job.
	 * @return a UUIDv7
	 */
	public String existingJobId() {
		return this.existingJobId;
	}

	/**
	 * The state of the existing job.
	 * @return its state when the new job was rejected
	 */
	public JobState existingJobState() {
		return this.existingJobState;
	}

	/**
	 * The unique key of both jobs. It is made of their arguments, so do not log it above
	 * debug.
	 * @return 64 hexadecimal digits
	 */
	public String uniqueKey() {
		return this.uniqueKey;
	}

	@Override
	public boolean isOutcomeUnknown() {
		return false;
	}

	@Override
	public Map<String, @Nullable Object> details() {
		return Map.of("existing_job_id", this.existingJobId, "existing_job_state", this.existingJobState.wireName(),
				"unique_key", this.uniqueKey);
	}

}
