package io.ojs.queue;

import io.ojs.ErrorCode;

/**
 * The state of a queue does not allow the request (OJS Queue Configuration §5.1).
 */
public final class IllegalQueueStateException extends QueueException {

	private static final long serialVersionUID = 1L;

	private final QueueState state;

	/**
	 * Creates the exception.
	 * @param queue the queue
	 * @param state its state
	 * @param problem what is wrong
	 */
	public IllegalQueueStateException(String queue, QueueState state, String problem) {
		super(ErrorCode.INVALID_STATE_TRANSITION, queue,
				"Queue '%s' is %s and %s.".formatted(queue, state.wireName(), problem));
		this.state = state;
	}

	/**
	 * Returns the state of the queue.
	 * @return the state
	 */
	public QueueState state() {
		return this.state;
	}

}
