package io.ojs.queue;

import io.ojs.ErrorCode;
import io.ojs.job.Job;

/**
 * The queue takes no more jobs, because it is draining or was deleted (OJS Queue
 * Configuration §5.1). The code is {@code QUEUE_PAUSED}, which OJS Errors has for this.
 */
public final class QueueNotAcceptingException extends QueueRefusedException {

	private static final long serialVersionUID = 1L;

	private final QueueState state;

	/**
	 * Creates the exception.
	 * @param job the job
	 * @param state the state of the queue
	 */
	public QueueNotAcceptingException(Job job, QueueState state) {
		super(ErrorCode.QUEUE_PAUSED, "Queue '%s' is %s and takes no more jobs. Use another one, or %s it."
			.formatted(job.queue(), state.wireName(), (state == QueueState.DELETED) ? "create" : "resume"), job);
		this.state = state;
	}

	/** Returns {@code false} for a deleted queue, which does not come back by itself. */
	@Override
	public boolean isRetryable() {
		return this.state != QueueState.DELETED;
	}

	/**
	 * Returns the state of the queue.
	 * @return draining or deleted
	 */
	public QueueState state() {
		return this.state;
	}

}
