package io.ojs.queue;

import java.util.Map;

import io.ojs.ErrorCode;
import org.jspecify.annotations.Nullable;

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

	@Override
	public Map<String, @Nullable Object> details() {
		return Map.of("resource_type", "queue", "resource_id", queue());
	}

}
