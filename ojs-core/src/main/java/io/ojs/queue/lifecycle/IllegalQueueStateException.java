package io.ojs.queue.lifecycle;

import io.ojs.ErrorCode;
import io.ojs.queue.QueueState;

/**
 * A queue is in a state in which what was asked for cannot be done (OJS Queue
 * Configuration §5.1).
 */
public final class IllegalQueueStateException extends QueueException {

	private static final long serialVersionUID = 1L;

	private final QueueState state;

	IllegalQueueStateException(String queue, QueueState state, String problem) {
		super(ErrorCode.INVALID_STATE_TRANSITION, queue,
				"Queue '%s' is %s and %s.".formatted(queue, state.wireName(), problem));
		this.state = state;
	}

	/**
	 * The state that the queue is in.
	 * @return the state
	 */
	public QueueState state() {
		return this.state;
	}

}
