package io.ojs.web.internal;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

import io.ojs.ErrorCode;
import io.ojs.InvalidField;
import io.ojs.OjsException;
import io.ojs.client.ControlException;
import io.ojs.client.DuplicateJobException;
import io.ojs.client.EnqueueException;
import io.ojs.client.JobStoreRequiredException;
import io.ojs.client.TenantLimitExceededException;
import io.ojs.client.UnsupportedJobException;
import io.ojs.deadletter.NotReplayableException;
import io.ojs.internal.log.SafeLogger;
import io.ojs.job.InvalidJobException;
import io.ojs.job.UndecodableJobException;
import io.ojs.job.internal.ForeignText;
import io.ojs.middleware.JobRejectedException;
import io.ojs.queue.JobTypeNotAllowedException;
import io.ojs.queue.ProducerNotAllowedException;
import io.ojs.queue.QueueFullException;
import io.ojs.queue.QueueRefusedException;
import io.ojs.store.DuplicateIdException;
import io.ojs.store.JobNotStoredException;
import io.ojs.store.StoreException;
import io.ojs.store.StoreUnavailableException;
import io.ojs.tenant.TenantRequiredException;
import io.ojs.web.HttpError;
import io.ojs.web.HttpFailure;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Translates exceptions into errors for callers (OJS HTTP Binding §16).
 */
public final class HttpErrors {

	private static final Logger logger = SafeLogger.of(HttpErrors.class);

	/**
	 * Fields of a retry policy. JSON with an invalid policy is well-formed, so the answer
	 * is 422 instead of 400.
	 */
	private static final Pattern RETRY = Pattern.compile("(.*\\.)?retry\\..*");

	private static final String DOCS = "https://github.com/openjobspec/spec/blob/main/spec/ojs-http-binding.md#16-error-handling";

	private static final String VALIDATION = "validation_error";

	private final boolean stackTraces;

	HttpErrors(boolean stackTraces) {
		this.stackTraces = stackTraces;
	}

	/**
	 * Translates an exception, and logs it if the status is 500 or above, unless an
	 * endpoint has chosen the answer.
	 * @param requestId the id of the request, for the log
	 */
	HttpError of(RuntimeException failure, String requestId) {
		HttpError error = (failure instanceof OjsException known) ? known(known) : unexpected();
		if (error.status() < 500 || failure instanceof HttpFailure) {
			return error;
		}
		if (error.status() == 500) {
			logger.error("Request '{}' could not be answered", requestId, failure);
		}
		else {
			logger.warn("Request '{}' could not be answered: {}", requestId, failure.getMessage());
		}
		return this.stackTraces ? error.detail("stack_trace", stackTrace(failure)) : error;
	}

	static HttpError known(OjsException failure) {
		if (failure instanceof HttpFailure http) {
			return http.error();
		}
		if (failure instanceof UndecodableJobException) {
			return HttpError.of(400, "invalid_payload", "invalid_payload", message(failure));
		}
		if (failure instanceof JobRejectedException) {
			return HttpError.of(422, "job_rejected", VALIDATION, message(failure));
		}
		if (failure instanceof InvalidField invalid) {
			return invalid(status(failure, invalid.field()), failure, invalid.field());
		}
		if (failure instanceof EnqueueException enqueue) {
			return notEnqueued(enqueue);
		}
		if (failure instanceof JobStoreRequiredException || failure instanceof UnsupportedJobException) {
			return HttpError.of(422, "unsupported", "unsupported", message(failure));
		}
		if (failure instanceof StoreException || failure instanceof ControlException) {
			return unavailable(failure);
		}
		return byCode(failure);
	}

	/** Maps exceptions whose code and details suffice. */
	private static HttpError byCode(OjsException failure) {
		Map<String, @Nullable Object> details = failure.details();
		if (failure.code().equals(ErrorCode.NOT_FOUND.name())) {
			return HttpFailure
				.notFound(String.valueOf(details.get("resource_type")), String.valueOf(details.get("resource_id")))
				.error();
		}
		return (failure.code().equals(ErrorCode.INVALID_STATE_TRANSITION.name())
				|| failure instanceof NotReplayableException) ? with(conflict(failure), details) : unexpected();
	}

	private static HttpError with(HttpError error, Map<String, @Nullable Object> details) {
		HttpError told = error;
		for (Map.Entry<String, @Nullable Object> detail : details.entrySet()) {
			told = told.detail(detail.getKey(), detail.getValue());
		}
		return told;
	}

	private static int status(OjsException failure, String field) {
		boolean policy = failure instanceof InvalidJobException && RETRY.matcher(field).matches();
		return (policy || failure instanceof TenantRequiredException) ? 422 : 400;
	}

	private static HttpError notEnqueued(EnqueueException failure) {
		if (failure instanceof DuplicateJobException) {
			return with(HttpError.of(409, "duplicate", "duplicate", message(failure)), failure.details());
		}
		if (failure.getCause() instanceof DuplicateIdException duplicate) {
			return HttpError
				.of(409, "duplicate", "duplicate", "There is a job with the id '%s'.".formatted(duplicate.jobId()))
				.detail("existing_job_id", duplicate.jobId());
		}
		if (failure instanceof QueueFullException full) {
			return full(full);
		}
		if (failure instanceof TenantLimitExceededException limited) {
			return limited(limited);
		}
		if (failure instanceof QueueRefusedException refused) {
			int status = (refused instanceof ProducerNotAllowedException) ? 403 : 422;
			HttpError error = HttpError.of(status, refused.code(), "queue_refused", message(failure))
				.retryable(refused.isRetryable())
				.detail("queue", refused.queue());
			return (refused instanceof JobTypeNotAllowedException) ? error.detail("field", "type") : error;
		}
		return unavailable(failure);
	}

	private static HttpError full(QueueFullException failure) {
		boolean bytes = failure.limit().endsWith("bytes");
		long depth = bytes ? failure.depth().bytes() : failure.depth().jobs();
		return HttpError.of(429, failure.code(), "queue_full", message(failure))
			.retryAfter(1)
			.detail("queue", failure.queue())
			.detail("limit", failure.limit())
			.detail("bound", failure.bound())
			.detail("depth", depth)
			.header("X-OJS-Queue-Depth", Long.toString(depth))
			.header("X-OJS-Queue-Bound", Long.toString(failure.bound()));
	}

	private static HttpError limited(TenantLimitExceededException failure) {
		HttpError error = with(HttpError.of(429, failure.code(), "tenant_limit_exceeded", message(failure)),
				failure.details());
		// Rounded up: a request that comes a moment too early is refused again.
		return failure.isRetryable() ? error.retryAfter(failure.retryAfter().plusMillis(999).toSeconds()) : error;
	}

	private static HttpError invalid(int status, OjsException failure, String field) {
		return HttpError.of(status, "invalid_request", VALIDATION, message(failure)).detail("field", field);
	}

	private static HttpError conflict(OjsException failure) {
		return HttpError.of(409, "conflict", "conflict", message(failure));
	}

	/** Hides the message of the database, which not every caller may see. */
	private static HttpError unavailable(OjsException failure) {
		OjsException cause = (failure instanceof JobNotStoredException
				&& failure.getCause() instanceof StoreException store) ? store : failure;
		String backend = (cause instanceof StoreException) ? "The database" : "The backend (job store or broker)";
		return HttpError
			.of(503, "backend_error", "backend_error",
					isOutcomeUnknown(cause) ? backend
							+ " did not confirm the change in time. Look whether it was made before you try again."
							: backend + " cannot be reached, or failed. Try again.")
			.retryAfter(1);
	}

	private static boolean isOutcomeUnknown(OjsException failure) {
		return (failure instanceof EnqueueException enqueue && enqueue.isOutcomeUnknown())
				|| (failure instanceof StoreUnavailableException store && store.isOutcomeUnknown());
	}

	private static HttpError unexpected() {
		return HttpError.of(500, "backend_error", "internal_error",
				"The server failed to answer the request. Its log has the reason under the id of the request.");
	}

	private static String message(OjsException failure) {
		String message = failure.getMessage();
		return (message != null) ? message : failure.getClass().getSimpleName();
	}

	private static String stackTrace(Throwable failure) {
		StringWriter text = new StringWriter();
		failure.printStackTrace(new PrintWriter(text));
		return text.toString();
	}

	/** Returns the answer to the request with an id. */
	static HttpResult result(HttpError failure, String requestId) {
		Map<String, @Nullable Object> error = new LinkedHashMap<>();
		error.put("code", failure.code());
		error.put("type", failure.type());
		error.put("message", failure.message());
		error.put("retryable", failure.retryable());
		if (failure.hint() != null) {
			error.put("hint", failure.hint());
		}
		error.put("docs_url", DOCS);
		if (!failure.details().isEmpty()) {
			error.put("details", failure.details());
		}
		error.put("request_id", requestId);
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put("error", error);
		return new HttpResult(failure.status(), failure.headers(), body);
	}

	/** Describes a failure for a caller, without the message of a database. */
	public static String told(OjsException failure) {
		return known(failure).message();
	}

	static HttpFailure noEndpoint(String path, String hint) {
		String message = "There is no endpoint %s.".formatted(ForeignText.escape(path, 200));
		return new HttpFailure(HttpError.of(404, "not_found", "not_found", message).hint(hint));
	}

	static HttpFailure methodNotAllowed(String method, String allowed) {
		return new HttpFailure(HttpError
			.of(405, "invalid_request", "method_not_allowed",
					"The path does not take %s, only %s.".formatted(ForeignText.escape(method, 20), allowed))
			.header("Allow", allowed)
			.detail("allowed", allowed));
	}

	static HttpFailure unsupportedMediaType(@Nullable String contentType) {
		return unsupported("'Content-Type' must be application/openjobspec+json or application/json, but was %s."
			.formatted(ForeignText.show(contentType)));
	}

	static HttpFailure fromAnotherSite() {
		return unsupported("A browser sends this POST without a body for a page of another site. Send 'Content-Type' "
				+ "application/json or 'OJS-Version' 1.0 with it.");
	}

	private static HttpFailure unsupported(String message) {
		return new HttpFailure(HttpError.of(415, "invalid_request", "unsupported_media_type", message)
			.detail("field", "Content-Type"));
	}

}
