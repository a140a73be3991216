package io.ojs.job;

import java.util.Map;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import org.jspecify.annotations.Nullable;

/**
 * The requested state transition is not one that OJS Core §6.3 allows.
 */
public class IllegalStateTransitionException extends OjsException {

	private static final long serialVersionUID = 1L;

	private final JobState from;

	private final JobState to;

	/**
	 * Creates the exception.
	 * @param from the state of the job
	 * @param to the requested state
	 */
	public IllegalStateTransitionException(JobState from, JobState to) {
		super(ErrorCode.INVALID_STATE_TRANSITION,
				"A job that is %s cannot become %s.".formatted(from.wireName(), to.wireName()));
		this.from = from;
		this.to = to;
	}

	/**
	 * The state of the job.
	 * @return the state
	 */
	public JobState from() {
		return this.from;
	}

	/**
	 * The requested state.
	 * @return the state
	 */
	public JobState to() {
		return this.to;
	}

	@Override
	public Map<String, @Nullable Object> details() {
		return Map.of("current_state", this.from.wireName(), "requested_state", this.to.wireName());
	}

}
