package io.ojs.internal.figures;

import java.time.Instant;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Something that operators should know.
 *
 * @param sentence what it is, and what to do next, for people
 * @param since since when it is so; {@code null} if that is not known
 * @param queue the queue that it concerns, or {@code null}
 * @param tenant the tenant that it concerns, or {@code null}
 * @param page the page that shows more
 * @param params the parameters of that page
 */
public record AttentionItem(Code code, Severity severity, String sentence, @Nullable Instant since,
		@Nullable String queue, @Nullable String tenant, String page, Map<String, String> params) {

	/**
	 * How bad it is.
	 */
	public enum Severity {

		/** Jobs do not run. */
		CRITICAL,

		/** Jobs fail or are late. */
		WARNING,

		/** An operator or a limit has it so. */
		INFO

	}

	/**
	 * What it is.
	 */
	public enum Code {

		/** This process has no connection to the broker. */
		BROKER_DOWN,

		/** The broker takes no messages. */
		BROKER_BLOCKED,

		/** Jobs wait, and no process takes their queue. */
		NO_WORKER,

		/** Jobs are due and not published. */
		OUTBOX_LAG,

		/** A job has waited for a worker for a long time. */
		OLDEST_AVAILABLE,

		/** A process that worked jobs is silent. */
		PROCESS_LOST,

		/** Jobs have become dead letters. */
		NEW_DEAD_LETTERS,

		/** The last run of a cron failed. */
		CRON_FAILED,

		/** The broker has a queue with other arguments. */
		DRIFT,

		/** A queue is paused. */
		QUEUE_PAUSED,

		/** Jobs have waited for a limit for a long time. */
		LIMIT_FULL,

		/** An operation on many jobs has not ended. */
		OPERATION_RUNNING;

		/** Returns the code in JSON. */
		public String wireName() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
