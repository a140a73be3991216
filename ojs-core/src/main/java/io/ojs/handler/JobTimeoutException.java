package io.ojs.handler;

import java.time.Duration;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import org.jspecify.annotations.Nullable;

/**
 * An attempt took longer than its timeout (OJS Core §5.3). It is a failure of type
 * {@code timeout}, and retried as the policy says.
 */
public class JobTimeoutException extends OjsException {

	private static final long serialVersionUID = 1L;

	/**
	 * Says how long it was allowed to take.
	 * @param timeout the timeout
	 * @param cause what the handler threw when it was interrupted
	 */
	public JobTimeoutException(Duration timeout, @Nullable Throwable cause) {
		super(ErrorCode.HANDLER_TIMEOUT, "The handler took longer than its timeout of %s.".formatted(timeout), cause);
	}

}
