package io.ojs.webhook;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import org.jspecify.annotations.Nullable;

/**
 * A receiver could not be asked, or did not answer. The message tells no addresses: its
 * owner reads it.
 */
public class WebhookFailedException extends OjsException {

	private static final long serialVersionUID = 1L;

	private final String type;

	private final boolean retryable;

	/**
	 * Says what went wrong.
	 * @param type dotted name of the error, such as {@code webhook.timeout}
	 * @param message what a person should read
	 * @param retryable whether another attempt may help
	 * @param cause what led to it, for the log
	 */
	public WebhookFailedException(String type, String message, boolean retryable, @Nullable Throwable cause) {
		super(ErrorCode.HANDLER_ERROR, message, cause);
		this.type = type;
		this.retryable = retryable;
	}

	/** Whether another attempt may help. */
	@Override
	public boolean isRetryable() {
		return this.retryable;
	}

	/**
	 * The dotted name of the error.
	 * @return the type
	 */
	public String type() {
		return this.type;
	}

}
