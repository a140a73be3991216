package io.ojs.internal.worker;

import java.util.LinkedHashMap;
import java.util.Map;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * A worker refers to a run that it does not have: the job is not active, or another
 * worker has it. Nothing was changed.
 */
public class RunConflictException extends OjsException {

	private static final long serialVersionUID = 1L;

	private final String jobId;

	private final @Nullable JobState state;

	/**
	 * Creates the exception.
	 * @param problem the conflict: a sentence
	 */
	public RunConflictException(String jobId, @Nullable JobState state, String problem) {
		super(ErrorCode.INVALID_STATE_TRANSITION, problem);
		this.jobId = jobId;
		this.state = state;
	}

	/** Returns the id of the job. */
	public String jobId() {
		return this.jobId;
	}

	/** Returns the state of the job. */
	public @Nullable JobState state() {
		return this.state;
	}

	@Override
	public Map<String, @Nullable Object> details() {
		Map<String, @Nullable Object> details = new LinkedHashMap<>();
		details.put("job_id", this.jobId);
		details.put("current_state", (this.state != null) ? this.state.wireName() : null);
		details.put("expected_state", JobState.ACTIVE.wireName());
		return details;
	}

}
