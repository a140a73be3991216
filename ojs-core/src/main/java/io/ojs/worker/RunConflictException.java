package io.ojs.worker;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * Somebody wants to end a run that is not theirs, or has ended: the job is not active, or
 * another's. Nothing was changed.
 */
public class RunConflictException extends OjsException {

	private static final long serialVersionUID = 1L;

	private final String jobId;

	private final @Nullable JobState state;

	/**
	 * Says what is in the way.
	 * @param jobId the id of the job
	 * @param state the state that the job is in
	 * @param problem what is in the way: a sentence
	 */
	public RunConflictException(String jobId, @Nullable JobState state, String problem) {
		super(ErrorCode.INVALID_STATE_TRANSITION, problem);
		this.jobId = jobId;
		this.state = state;
	}

	/**
	 * The job.
	 * @return its id
	 */
	public String jobId() {
		return this.jobId;
	}

	/**
	 * The state that the job is in.
	 * @return the state
	 */
	public @Nullable JobState state() {
		return this.state;
	}

}
