package io.ojs.queue;

import java.util.Map;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import org.jspecify.annotations.Nullable;

/**
 * A request about a queue cannot be carried out. Nothing was changed.
 */
public abstract sealed class QueueException extends OjsException
		permits QueueNotFoundException, QueueExistsException, QueueNotEmptyException, IllegalQueueStateException {

	private static final long serialVersionUID = 1L;

	private final String queue;

	QueueException(ErrorCode code, String queue, String message) {
		super(code, message);
		this.queue = queue;
	}

	/**
	 * Returns the queue.
	 * @return its name
	 */
	public String queue() {
		return this.queue;
	}

	@Override
	public Map<String, @Nullable Object> details() {
		return Map.of("queue", this.queue);
	}

}
