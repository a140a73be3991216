package io.ojs.job;

import java.util.Locale;

/**
 * What becomes of a job that may not start because of a limit (OJS Rate Limiting §6.2).
 */
public enum OnLimit {

	/** It waits, available, until the limit lets it. */
	WAIT,

	/** It is scheduled for the time at which the limit is expected to let it. */
	RESCHEDULE,

	/** It is discarded, and no dead letter. */
	DROP;

	/**
	 * The value with this name on the wire.
	 * @param value {@code wait}, {@code reschedule} or {@code drop}
	 * @return the value
	 * @throws InvalidJobException if there is no such value
	 */
	public static OnLimit fromWire(String value) {
		for (OnLimit candidate : values()) {
			if (candidate.wireName().equals(value)) {
				return candidate;
			}
		}
		throw new InvalidJobException("rate_limit.on_limit", value, "must be wait, reschedule or drop");
	}

	/**
	 * The name of this value in JSON.
	 * @return the lower-case name
	 */
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

}
