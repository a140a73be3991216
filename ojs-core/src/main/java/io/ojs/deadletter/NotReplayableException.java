package io.ojs.deadletter;

import io.ojs.ErrorCode;
import io.ojs.OjsException;

/**
 * A dead letter cannot be replayed. It has not changed.
 */
public final class NotReplayableException extends OjsException {

	private static final long serialVersionUID = 1L;

	private final String jobId;

	private final SkipReason reason;

	/**
	 * Creates the exception.
	 * @param skipped why it stays
	 */
	public NotReplayableException(ReplayResult.Skipped skipped) {
		super((skipped.reason() == SkipReason.EXPIRED) ? ErrorCode.JOB_EXPIRED : ErrorCode.INVALID_PAYLOAD,
				"Dead letter %s was not replayed: %s".formatted(skipped.jobId(), skipped.problem()));
		this.jobId = skipped.jobId();
		this.reason = skipped.reason();
	}

	/**
	 * Returns the id of the job.
	 * @return the id
	 */
	public String jobId() {
		return this.jobId;
	}

	/**
	 * Returns why it cannot be replayed.
	 * @return the reason
	 */
	public SkipReason reason() {
		return this.reason;
	}

}
