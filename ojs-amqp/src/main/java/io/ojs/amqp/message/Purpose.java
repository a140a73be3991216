package io.ojs.amqp.message;

import java.util.Locale;

/**
 * Why a message is published.
 */
public enum Purpose {

	/** A job goes straight into its queue. */
	JOB,

	/** A job that is due later goes into the delay levels. */
	SCHEDULED,

	/** A job that failed goes into a retry queue. */
	RETRY,

	/** A job that failed for good goes into its dead letter queue. */
	DEAD_LETTER,

	/** A request about a job, or what workers tell each other: not a job message. */
	CONTROL;

	private final String text = name().toLowerCase(Locale.ROOT);

	/**
	 * Whether the message is a job, which meters count.
	 * @return {@code false} for requests about jobs
	 */
	public boolean isJob() {
		return this != CONTROL;
	}

	/**
	 * The name that an operator sees.
	 * @return such as {@code dead_letter}
	 */
	@Override
	public String toString() {
		return this.text;
	}

}
