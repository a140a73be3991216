package io.ojs.queue;

import io.ojs.ErrorCode;

/**
 * The queue does not exist, or was deleted.
 */
public final class QueueNotFoundException extends QueueException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param queue the queue
	 */
	public QueueNotFoundException(String queue) {
		super(ErrorCode.NOT_FOUND, queue,
				"There is no queue '%s'. Create it, or enqueue a job to it.".formatted(queue));
	}

}
