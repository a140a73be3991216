package io.ojs.amqp;

import java.util.Locale;

/**
 * The type of an AMQP queue (AMQP binding §7.2).
 */
public enum QueueKind {

	/** Replicated; moves dead letters at least once. The default. */
	QUORUM,

	/** On one node; supports {@code x-max-priority}. */
	CLASSIC;

	/** The value of {@code x-queue-type}. */
	public String argument() {
		return name().toLowerCase(Locale.ROOT);
	}

}
