package io.ojs.handler;

import java.util.Map;
import java.util.Objects;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.retry.FailureResponse;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler to set the type and details of its error, and to overrule the retry
 * policy (OJS Retry §7).
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
	 * Creates the exception.
	 * @param response what happens to the job
	 * @param type dotted name of the error, such as {@code payment.declined};
	 * {@code non_retryable_errors} are compared with it
	 * @param message a description for people
	 * @param details further JSON values
	 * @param cause the cause
	 */
	public JobFailedException(FailureResponse response, String type, String message,
			Map<String, @Nullable Object> details, @Nullable Throwable cause) {
		super(ErrorCode.HANDLER_ERROR, message, cause);
		this.response = Objects.requireNonNull(response, "response");
		this.type = Objects.requireNonNull(type, "type");
		this.details = Objects.requireNonNull(details, "details");
	}

	/**
	 * Creates an exception that leaves the decision to the retry policy.
	 * @param type dotted name of the error
	 * @param message a description for people
	 * @return the exception to throw
	 */
	public static JobFailedException retry(String type, String message) {
		return new JobFailedException(FailureResponse.RETRY, type, message, Map.of(), null);
	}

	/**
	 * Creates an exception that discards the job: no retry, no dead letter.
	 * @param type dotted name of the error
	 * @param message a description for people
	 * @return the exception to throw
	 */
	public static JobFailedException discard(String type, String message) {
		return new JobFailedException(FailureResponse.DISCARD, type, message, Map.of(), null);
	}

	/**
	 * Creates an exception that makes the job a dead letter without a retry.
	 * @param type dotted name of the error
	 * @param message a description for people
	 * @return the exception to throw
	 */
	public static JobFailedException deadLetter(String type, String message) {
		return new JobFailedException(FailureResponse.DEAD_LETTER, type, message, Map.of(), null);
	}

	/** Whether the handler leaves the decision to the retry policy. */
	@Override
	public boolean isRetryable() {
		return this.response == FailureResponse.RETRY;
	}

	/**
	 * What happens to the job.
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
	 * The details of the error.
	 * @return JSON values
	 */
	public Map<String, @Nullable Object> details() {
		return (this.details != null) ? this.details : Map.of();
	}

}
