package io.ojs.webhook;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import org.jspecify.annotations.Nullable;

/**
 * An event could not be posted, or its receiver did not answer. The message contains no
 * addresses, because the owner of the subscription reads it.
 */
public class WebhookFailedException extends OjsException {

	private static final long serialVersionUID = 1L;

	private final String type;

	private final boolean retryable;

	/**
	 * Creates the exception.
	 * @param type the dotted name of the error, such as {@code webhook.timeout}
	 * @param message the message for people
	 * @param retryable whether another attempt may succeed
	 * @param cause the cause, for the log
	 */
	public WebhookFailedException(String type, String message, boolean retryable, @Nullable Throwable cause) {
		super(ErrorCode.HANDLER_ERROR, message, cause);
		this.type = type;
		this.retryable = retryable;
	}

	/** Whether another attempt may succeed. */
	@Override
	public boolean isRetryable() {
		return this.retryable;
	}

	/**
	 * Returns the dotted name of the error.
	 * @return the type
	 */
	public String type() {
		return this.type;
	}

}
