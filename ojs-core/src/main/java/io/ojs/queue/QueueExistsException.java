package io.ojs.queue;

import io.ojs.ErrorCode;

/**
 * The queue to be created exists already, with a configuration or in a state other than
 * active.
 */
public final class QueueExistsException extends QueueException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param queue the queue
	 * @param state its state
	 */
	public QueueExistsException(String queue, QueueState state) {
		super(ErrorCode.INVALID_STATE_TRANSITION, queue,
				"Queue '%s' exists already and is %s. Use configure to change it.".formatted(queue, state.wireName()));
	}

}
