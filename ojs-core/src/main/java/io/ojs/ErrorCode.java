package io.ojs;

/**
 * What kind of error it is (OJS Errors §4), and whether trying again helps as a rule (OJS
 * Errors §7).
 */
public enum ErrorCode {

	/** The job, or the request, breaks a rule that has no code of its own. */
	INVALID_PAYLOAD(false),

	/** The type of the job breaks a rule, or nobody here knows it. */
	INVALID_JOB_TYPE(false),

	/** The name of the queue breaks a rule, or there is no such queue. */
	INVALID_QUEUE(false),

	/** The arguments of the job break a rule, or do not fit the handler. */
	INVALID_ARGS(false),

	/** The metadata of the job breaks a rule. */
	INVALID_METADATA(false),

	/** A job or queue is in a state that does not let it. */
	INVALID_STATE_TRANSITION(false),

	/** The retry policy breaks a rule. */
	INVALID_RETRY_POLICY(false),

	/** The expression of a cron is not understood, or never fires. */
	INVALID_CRON_EXPRESSION(false),

	/** There is a job like it, or one of the same id. */
	DUPLICATE_JOB(false),

	/** Whoever asks may not do that. */
	PERMISSION_DENIED(false),

	/** What was asked for is not there. */
	NOT_FOUND(false),

	/** The queue takes no more jobs. */
	QUEUE_PAUSED(true),

	/** The queue has no room. */
	QUEUE_FULL(true),

	/** A tenant has as much as it may have (OJS Multi-Tenancy §8.2). */
	TENANT_LIMIT_EXCEEDED(true),

	/** Others are doing it, and no more can at a time. */
	RATE_LIMITED(true),

	/** The job is larger than what the broker takes. */
	PAYLOAD_TOO_LARGE(false),

	/** What goes beside the job is larger than what the broker takes. */
	METADATA_TOO_LARGE(false),

	/** It needs something that is not there or not made for it. */
	UNSUPPORTED_FEATURE(false),

	/** The handler failed. */
	HANDLER_ERROR(true),

	/** The handler took too long. */
	HANDLER_TIMEOUT(true),

	/** The job was cancelled. */
	JOB_CANCELLED(false),

	/** The broker or the database did not do what it was asked. */
	BACKEND_ERROR(true),

	/** The broker or the database cannot be reached. */
	BACKEND_UNAVAILABLE(true),

	/** The broker or the database did not answer in time. */
	BACKEND_TIMEOUT(true),

	/** The queue does not take jobs of this type (OJS Queue Configuration §6.5). */
	JOB_TYPE_NOT_ALLOWED(false),

	/** The job was not started before its {@code expires_at}. No code of OJS. */
	JOB_EXPIRED(false),

	/** What the application says of itself cannot work. No code of OJS. */
	APPLICATION_MISCONFIGURED(false);

	private final boolean retryable;

	ErrorCode(boolean retryable) {
		this.retryable = retryable;
	}

	/**
	 * Whether trying again helps as a rule. An exception may know better.
	 * @return whether the same request may succeed later
	 */
	public boolean isRetryable() {
		return this.retryable;
	}

}
