package io.ojs.amqp.deadletter;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import org.jspecify.annotations.Nullable;

/**
 * A replay did not begin: the dead letter queue does not exist or is being replayed, or
 * the broker refuses. The queue is unchanged.
 */
public class ReplayRefusedException extends OjsException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param code the kind of reason
	 * @param message the reason, and what to do
	 * @param cause the cause, if any
	 */
	public ReplayRefusedException(ErrorCode code, String message, @Nullable Throwable cause) {
		super(code, message, cause);
	}

}
