package io.ojs.queue;

import io.ojs.ErrorCode;

/**
 * The queue was to be deleted only if all of its jobs have ended, and some have not (OJS
 * Queue Configuration §5.3).
 */
public final class QueueNotEmptyException extends QueueException {

	private static final long serialVersionUID = 1L;

	private final long jobs;

	/**
	 * Creates the exception.
	 * @param queue the queue
	 * @param jobs how many jobs it has
	 */
	public QueueNotEmptyException(String queue, long jobs) {
		super(ErrorCode.INVALID_STATE_TRANSITION, queue,
				"Queue '%s' has %d jobs that have not ended. Discard or move them, or drain the queue.".formatted(queue,
						jobs));
		this.jobs = jobs;
	}

	/**
	 * Returns the number of jobs that have not ended.
	 * @return 1 or more
	 */
	public long jobs() {
		return this.jobs;
	}

}
