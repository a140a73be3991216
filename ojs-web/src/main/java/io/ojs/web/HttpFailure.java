package io.ojs.web;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.job.internal.ForeignText;
import org.jspecify.annotations.Nullable;

/**
 * A request that cannot be answered as it was meant, for a reason that lies in HTTP, such
 * as an unknown path or a body that is too large.
 */
public class HttpFailure extends OjsException {

	private static final long serialVersionUID = 1L;

	private final transient HttpError error;

	/**
	 * Creates the exception.
	 * @param error the error for the caller
	 */
	public HttpFailure(HttpError error) {
		super(code(error.status()), error.message());
		this.error = error;
	}

	private static ErrorCode code(int status) {
		return switch (status) {
			case 401, 403 -> ErrorCode.PERMISSION_DENIED;
			case 404 -> ErrorCode.NOT_FOUND;
			case 409 -> ErrorCode.INVALID_STATE_TRANSITION;
			case 413 -> ErrorCode.PAYLOAD_TOO_LARGE;
			case 429 -> ErrorCode.RATE_LIMITED;
			default -> ErrorCode.INVALID_PAYLOAD;
		};
	}

	/**
	 * The error for the caller.
	 * @return the error
	 */
	public HttpError error() {
		return this.error;
	}

	/**
	 * Creates the exception for something that does not exist.
	 * @param type its kind, such as {@code job}
	 * @param id its id
	 * @return the exception, 404
	 */
	public static HttpFailure notFound(String type, String id) {
		HttpError error = HttpError
			.of(404, "not_found", "not_found",
					"There is no %s '%s'.".formatted(type.replace('_', ' '), ForeignText.escape(id, 128)))
			.hint("It never existed, or was deleted when its time was over. Check the id.");
		return new HttpFailure(error.detail("resource_type", type).detail("resource_id", id));
	}

	/**
	 * Creates the exception for a wrong value in the request.
	 * @param field the name of the field or parameter, such as {@code limit}
	 * @param value the value
	 * @param problem what the value must be, as the second half of a sentence
	 * @return the exception, 400
	 */
	public static HttpFailure invalid(String field, @Nullable Object value, String problem) {
		String message = "'%s' %s, but was %s.".formatted(ForeignText.escape(field, 128), problem,
				ForeignText.show(value));
		return new HttpFailure(
				HttpError.of(400, "invalid_request", "validation_error", message).detail("field", field));
	}

	/**
	 * Creates the exception for a request that contradicts the present state.
	 * @param message the contradiction, as a sentence
	 * @return the exception, 409
	 */
	public static HttpFailure conflict(String message) {
		return new HttpFailure(HttpError.of(409, "conflict", "conflict", message));
	}

	/**
	 * Creates the exception for a caller that lacks a right.
	 * @param message the reason, as a sentence
	 * @return the exception, 403
	 */
	public static HttpFailure forbidden(String message) {
		return new HttpFailure(HttpError.of(403, "PERMISSION_DENIED", "permission_denied", message));
	}

	/**
	 * Creates the exception for a body, or an answer, that is too large.
	 * @param limit how many bytes there may be
	 * @return the exception, 413
	 */
	public static HttpFailure tooLarge(long limit) {
		return new HttpFailure(HttpError
			.of(413, "invalid_request", "payload_too_large",
					"The body must have at most %d bytes; pass a reference to larger data.".formatted(limit))
			.detail("max_bytes", limit));
	}

}
