package io.ojs.job;

import java.util.Locale;

/**
 * What happens to a job that may not start because of a limit (OJS Rate Limiting §6.2).
 */
public enum OnLimit {

	/** The job stays available and waits until the limit lets it through. */
	WAIT,

	/**
	 * The job is scheduled for the time at which the limit is expected to let it through.
	 */
	RESCHEDULE,

	/** The job is discarded and does not become a dead letter. */
	DROP;

	/**
	 * The value with this name in JSON.
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
