package io.ojs.job;

import io.ojs.ErrorCode;
import io.ojs.OjsException;

/**
 * A job was asked to go from one state to another that OJS Core §6.3 does not lead to.
 */
public class IllegalStateTransitionException extends OjsException {

	private static final long serialVersionUID = 1L;

	private final JobState from;

	private final JobState to;

	/**
	 * Creates the exception.
	 * @param from the state that the job is in
	 * @param to the state that was asked for
	 */
	public IllegalStateTransitionException(JobState from, JobState to) {
		super(ErrorCode.INVALID_STATE_TRANSITION,
				"A job that is %s cannot become %s.".formatted(from.wireName(), to.wireName()));
		this.from = from;
		this.to = to;
	}

	/**
	 * The state that the job is in.
	 * @return the state
	 */
	public JobState from() {
		return this.from;
	}

	/**
	 * The state that was asked for.
	 * @return the state
	 */
	public JobState to() {
		return this.to;
	}

}
