package io.ojs.handler;

import java.util.Map;
import java.util.Objects;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.retry.FailureResponse;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler to fail in its own words, and to overrule the retry policy if it
 * knows better (OJS Retry §7).
 *
 * <pre>{@code
 * throw JobFailedException.deadLetter("payment.card_stolen", "The card was reported stolen.");
 * }</pre>
 */
public class JobFailedException extends OjsException {

	private static final long serialVersionUID = 1L;

	private final FailureResponse response;

	private final String type;

	private final transient Map<String, @Nullable Object> details;

	/**
	 * Fails.
	 * @param response what is to be done about it
	 * @param type dotted name of the error, such as {@code payment.declined}; this is
	 * what {@code non_retryable_errors} is compared with
	 * @param message what a person should read
	 * @param details more, as JSON values
	 * @param cause what led to it
	 */
	public JobFailedException(FailureResponse response, String type, String message,
			Map<String, @Nullable Object> details, @Nullable Throwable cause) {
		super(ErrorCode.HANDLER_ERROR, message, cause);
		this.response = Objects.requireNonNull(response, "response");
		this.type = Objects.requireNonNull(type, "type");
		this.details = Objects.requireNonNull(details, "details");
	}

	/**
	 * Fails, and leaves the rest to the policy.
	 * @param type dotted name of the error
	 * @param message what a person should read
	 * @return the exception to throw
	 */
	public static JobFailedException retry(String type, String message) {
		return new JobFailedException(FailureResponse.RETRY, type, message, Map.of(), null);
	}

	/**
	 * Fails for good and lets the job go.
	 * @param type dotted name of the error
	 * @param message what a person should read
	 * @return the exception to throw
	 */
	public static JobFailedException discard(String type, String message) {
		return new JobFailedException(FailureResponse.DISCARD, type, message, Map.of(), null);
	}

	/**
	 * Fails for good and keeps the job in the dead letter queue.
	 * @param type dotted name of the error
	 * @param message what a person should read
	 * @return the exception to throw
	 */
	public static JobFailedException deadLetter(String type, String message) {
		return new JobFailedException(FailureResponse.DEAD_LETTER, type, message, Map.of(), null);
	}

	/** Whether the handler leaves that to the policy. */
	@Override
	public boolean isRetryable() {
		return this.response == FailureResponse.RETRY;
	}

	/**
	 * What is to be done about it.
	 * @return the response
	 */
	public FailureResponse response() {
		return this.response;
	}

	/**
	 * The dotted name of the error.
	 * @return the type
	 */
	public String type() {
		return this.type;
	}

	/**
	 * What else the handler said.
	 * @return JSON values
	 */
	public Map<String, @Nullable Object> details() {
		return (this.details != null) ? this.details : Map.of();
	}

}
