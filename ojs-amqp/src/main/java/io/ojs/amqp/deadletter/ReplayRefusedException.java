package io.ojs.amqp.deadletter;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import org.jspecify.annotations.Nullable;

/**
 * A replay did not begin: there is no such dead letter queue, it is being replayed
 * already, or the broker refuses. Nothing was touched.
 */
public class ReplayRefusedException extends OjsException {

	private static final long serialVersionUID = 1L;

	/**
	 * Says why it did not begin.
	 * @param code what kind of reason it is
	 * @param message the reason, and what to do
	 * @param cause what revealed it
	 */
	public ReplayRefusedException(ErrorCode code, String message, @Nullable Throwable cause) {
		super(code, message, cause);
	}

}
