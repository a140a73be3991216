package io.ojs.handler;

import java.time.Duration;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import org.jspecify.annotations.Nullable;

/**
 * An attempt took longer than its timeout (OJS Core §5.3). The type of its error is
 * {@code timeout}, and the retry policy decides about the job.
 */
public class JobTimeoutException extends OjsException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param timeout the timeout
	 * @param cause the exception that the handler threw when it was interrupted
	 */
	public JobTimeoutException(Duration timeout, @Nullable Throwable cause) {
		super(ErrorCode.HANDLER_TIMEOUT, "The handler took longer than its timeout of %s.".formatted(timeout), cause);
	}

}
