package io.ojs.amqp.message;

/**
 * The headers of a job message (AMQP binding §6.2).
 */
public final class OjsHeaders {

	/** OJS queue that the job was enqueued to; text. */
	public static final String QUEUE = "x-ojs-queue";

	/** Attempt that this delivery is, from 1; integer. */
	public static final String ATTEMPT = "x-ojs-attempt";

	/** How often an operator has replayed the job, if at all; integer. */
	public static final String REPLAYS = "x-ojs-replays";

	/**
	 * Id of the job store that keeps the job. Messages of a store have it; those of
	 * producers without one do not; text.
	 */
	public static final String STORE = "x-ojs-store";

	/** Executions in all; integer. */
	public static final String MAX_ATTEMPTS = "x-ojs-max-attempts";

	/** When the job was created; RFC 3339. */
	public static final String CREATED_AT = "x-ojs-created-at";

	/** When the job became available; RFC 3339. */
	public static final String ENQUEUED_AT = "x-ojs-enqueued-at";

	/** When the job is due; RFC 3339. */
	public static final String SCHEDULED_AT = "x-ojs-scheduled-at";

	/** Tags, separated by commas; text. */
	public static final String TAGS = "x-ojs-tags";

	/** W3C {@code traceparent}; text. */
	public static final String TRACE_ID = "x-ojs-trace-id";

	/**
	 * W3C {@code traceparent} again, under the name that the AMQP guide gives it; text.
	 */
	public static final String TRACEPARENT = "x-ojs-traceparent";

	/** W3C {@code tracestate}; text. */
	public static final String TRACE_STATE = "x-ojs-trace-state";

	/** Key that a producer chose for deduplication; text. */
	public static final String IDEMPOTENCY_KEY = "x-ojs-idempotency-key";

	/** What went wrong last, for a person; text. */
	public static final String ERROR_MESSAGE = "x-ojs-error-message";

	/** Code of OJS Errors §4 for what went wrong last; text. */
	public static final String ERROR_CODE = "x-ojs-error-code";

	/**
	 * Type of what went wrong last: a class name or a dotted name. On dead letters; text.
	 */
	public static final String ERROR_TYPE = "x-ojs-error-type";

	/**
	 * 16 hexadecimal digits that are alike for failures at the same place in the code. On
	 * dead letters; text.
	 */
	public static final String ERROR_STACK_HASH = "x-ojs-error-stack-hash";

	/** Routing key that the job was first published with. On dead letters; text. */
	public static final String ERROR_ROUTING_KEY = "x-ojs-error-routing-key";

	/** When the job failed for the first time; RFC 3339. */
	public static final String ERROR_FIRST_AT = "x-ojs-error-first-at";

	/** When the job failed last. On dead letters; RFC 3339. */
	public static final String ERROR_AT = "x-ojs-error-at";

	/** Run that replayed the job; text. */
	public static final String REPLAY_RUN = "x-ojs-replay-run";

	/**
	 * AMQP priority of a dead letter that was looked at and put back; integer. Quorum
	 * queues would hand out a high one again before those that nobody has looked at.
	 */
	public static final String PRIORITY = "x-ojs-priority";

	/**
	 * When the job was first met by a worker that cannot run its version; RFC 3339.
	 */
	public static final String HELD_SINCE = "x-ojs-held-since";

	/** Begins the name of every header that tells of an error. */
	static final String ERROR_PREFIX = "x-ojs-error-";

	private OjsHeaders() {
	}

}
