package io.ojs.amqp.internal.message;

/**
 * The headers of a job message (AMQP binding §6.2).
 */
public final class OjsHeaders {

	/** OJS queue that the producer enqueued the job to; text. */
	public static final String QUEUE = "x-ojs-queue";

	/** Number of the attempt that this delivery is for, from 1; integer. */
	public static final String ATTEMPT = "x-ojs-attempt";

	/** How often operators have replayed the job; absent for 0; integer. */
	public static final String REPLAYS = "x-ojs-replays";

	/**
	 * Id of the job store that published the job; absent in messages of producers without
	 * a store; text.
	 */
	public static final String STORE = "x-ojs-store";

	/** Maximum number of attempts; integer. */
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
	 * W3C {@code traceparent} again, under the name that the AMQP guide uses; text.
	 */
	public static final String TRACEPARENT = "x-ojs-traceparent";

	/** W3C {@code tracestate}; text. */
	public static final String TRACE_STATE = "x-ojs-trace-state";

	/** Deduplication key that the producer chose; text. */
	public static final String IDEMPOTENCY_KEY = "x-ojs-idempotency-key";

	/** Message of the last error, for people; text. */
	public static final String ERROR_MESSAGE = "x-ojs-error-message";

	/** Code of the last error (OJS Errors §4); text. */
	public static final String ERROR_CODE = "x-ojs-error-code";

	/**
	 * Type of the last error: a class name or a dotted name. On dead letters; text.
	 */
	public static final String ERROR_TYPE = "x-ojs-error-type";

	/**
	 * 16 hexadecimal digits that are equal for failures at the same place in the code. On
	 * dead letters; text.
	 */
	public static final String ERROR_STACK_HASH = "x-ojs-error-stack-hash";

	/** Routing key of the job's first publish. On dead letters; text. */
	public static final String ERROR_ROUTING_KEY = "x-ojs-error-routing-key";

	/** When the job failed for the first time; RFC 3339. */
	public static final String ERROR_FIRST_AT = "x-ojs-error-first-at";

	/** When the job failed last. On dead letters; RFC 3339. */
	public static final String ERROR_AT = "x-ojs-error-at";

	/** Id of the replay that replayed the job; text. */
	public static final String REPLAY_RUN = "x-ojs-replay-run";

	/**
	 * AMQP priority of a dead letter that a replay examined and put back; integer. A
	 * quorum queue would deliver a message with a high priority again before dead letters
	 * that the replay has not examined.
	 */
	public static final String PRIORITY = "x-ojs-priority";

	/**
	 * When the first worker that does not handle the job's version received it; RFC 3339.
	 */
	public static final String HELD_SINCE = "x-ojs-held-since";

	/** Prefix of the headers that describe an error. */
	static final String ERROR_PREFIX = "x-ojs-error-";

	private OjsHeaders() {
	}

}
