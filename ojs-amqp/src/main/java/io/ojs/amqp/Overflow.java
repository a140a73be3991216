package io.ojs.amqp;

import java.util.Locale;

/**
 * What a full queue does with a job (AMQP binding §7.2).
 */
public enum Overflow {

	/**
	 * Refuses the new job. The default, and the only choice for a quorum queue that
	 * dead-letters at least once.
	 */
	REJECT_PUBLISH,

	/** Moves the oldest job to the dead letter queue. */
	DROP_HEAD,

	/** Refuses the new job and puts it in the dead letter queue as well. */
	REJECT_PUBLISH_DLX;

	/**
	 * The value of {@code x-overflow}.
	 * @return the name in lower case, with hyphens
	 */
	public String argument() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
