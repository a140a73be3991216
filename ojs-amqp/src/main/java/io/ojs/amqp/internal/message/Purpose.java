package io.ojs.amqp.internal.message;

import java.util.Locale;

/**
 * Why a message is published.
 */
public enum Purpose {

	/** A job that goes directly to its queue. */
	JOB,

	/** A job that is due later and goes to the delay levels. */
	SCHEDULED,

	/** A job that failed and goes to a retry queue. */
	RETRY,

	/** A job that failed for good and goes to its dead letter queue. */
	DEAD_LETTER,

	/** A request about a job, or a message between workers; no job. */
	CONTROL;

	private final String text = name().toLowerCase(Locale.ROOT);

	/** Whether the message is a job. Meters count only jobs. */
	public boolean isJob() {
		return this != CONTROL;
	}

	/**
	 * The name that operators see.
	 * @return the name, such as {@code dead_letter}
	 */
	@Override
	public String toString() {
		return this.text;
	}

}
