package io.ojs.deadletter;

import io.ojs.ErrorCode;
import io.ojs.OjsException;

/**
 * A dead letter cannot be put back to work. It is as it was.
 */
public final class NotReplayableException extends OjsException {

	private static final long serialVersionUID = 1L;

	private final String jobId;

	private final SkipReason reason;

	NotReplayableException(ReplayDecision.Skipped skipped) {
		super((skipped.reason() == SkipReason.EXPIRED) ? ErrorCode.JOB_EXPIRED : ErrorCode.INVALID_PAYLOAD,
				"Dead letter %s was not replayed: %s".formatted(skipped.jobId(), skipped.problem()));
		this.jobId = skipped.jobId();
		this.reason = skipped.reason();
	}

	/**
	 * The dead letter.
	 * @return the id of the job
	 */
	public String jobId() {
		return this.jobId;
	}

	/**
	 * Why not.
	 * @return the reason
	 */
	public SkipReason reason() {
		return this.reason;
	}

}
