package io.ojs;

/**
 * The kinds of errors (OJS Errors §4). Each says whether another attempt usually helps
 * (OJS Errors §7).
 */
public enum ErrorCode {

	/** The job or the request breaks a rule that has no code of its own. */
	INVALID_PAYLOAD(false),

	/** The type of the job breaks a rule, or no handler here works jobs of this type. */
	INVALID_JOB_TYPE(false),

	/** The name of the queue breaks a rule, or the queue does not exist. */
	INVALID_QUEUE(false),

	/** The arguments of the job break a rule or do not fit the handler. */
	INVALID_ARGS(false),

	/** The metadata of the job breaks a rule. */
	INVALID_METADATA(false),

	/**
	 * The current state of the job, queue or other object does not allow the operation.
	 */
	INVALID_STATE_TRANSITION(false),

	/** The retry policy breaks a rule. */
	INVALID_RETRY_POLICY(false),

	/** The expression of a cron cannot be parsed, or the cron never fires. */
	INVALID_CRON_EXPRESSION(false),

	/** The job store has a job like this one, or a job with the same id. */
	DUPLICATE_JOB(false),

	/** The caller is not allowed to do what it asks for. */
	PERMISSION_DENIED(false),

	/** The requested object does not exist. */
	NOT_FOUND(false),

	/** The queue accepts no more jobs. */
	QUEUE_PAUSED(true),

	/** The queue is full. */
	QUEUE_FULL(true),

	/** A limit of the tenant is reached (OJS Multi-Tenancy §8.2). */
	TENANT_LIMIT_EXCEEDED(true),

	/** A limit does not allow the operation now. */
	RATE_LIMITED(true),

	/** The job is larger than the broker accepts. */
	PAYLOAD_TOO_LARGE(false),

	/** A property or the headers of the message are larger than AMQP can carry. */
	METADATA_TOO_LARGE(false),

	/**
	 * The request needs a feature that the library, the application or the database
	 * lacks.
	 */
	UNSUPPORTED_FEATURE(false),

	/** The handler failed. */
	HANDLER_ERROR(true),

	/** The handler took too long. */
	HANDLER_TIMEOUT(true),

	/** The job was cancelled. */
	JOB_CANCELLED(false),

	/** The broker or the database did not do what the library asked for. */
	BACKEND_ERROR(true),

	/** The broker or the database cannot be reached. */
	BACKEND_UNAVAILABLE(true),

	/** The broker or the database did not answer in time. */
	BACKEND_TIMEOUT(true),

	/** The queue does not take jobs of this type (OJS Queue Configuration §6.5). */
	JOB_TYPE_NOT_ALLOWED(false),

	/** The job was not started before its {@code expires_at}. Not a code of OJS. */
	JOB_EXPIRED(false),

	/** The configuration or code of the application is invalid. Not a code of OJS. */
	APPLICATION_MISCONFIGURED(false);

	private final boolean retryable;

	ErrorCode(boolean retryable) {
		this.retryable = retryable;
	}

	/**
	 * Whether another attempt usually helps. Exceptions can override it.
	 * @return whether the same request may succeed later
	 */
	public boolean isRetryable() {
		return this.retryable;
	}

}
