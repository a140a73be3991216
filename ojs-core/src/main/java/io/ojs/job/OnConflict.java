package io.ojs.job;

import java.util.Locale;

/**
 * What happens to a unique job when another job blocks it (OJS Unique Jobs §5).
 */
public enum OnConflict {

	/** The new job is rejected. */
	REJECT,

	/** The existing job is cancelled, and the new one is enqueued. */
	REPLACE,

	/**
	 * Like {@link #REPLACE}, but an existing job that is scheduled keeps its id and its
	 * time, and takes everything else from the new job.
	 */
	REPLACE_EXCEPT_SCHEDULE,

	/** The new job is dropped, and the caller gets the existing one. */
	IGNORE;

	/**
	 * The value with this name in JSON.
	 * @param value {@code reject}, {@code replace}, {@code replace_except_schedule} or
	 * {@code ignore}
	 * @return the value
	 * @throws InvalidJobException if there is no such value
	 */
	public static OnConflict fromWire(String value) {
		for (OnConflict candidate : values()) {
			if (candidate.wireName().equals(value)) {
				return candidate;
			}
		}
		throw new InvalidJobException("unique.on_conflict", value,
				"must be reject, replace, replace_except_schedule or ignore");
	}

	/**
	 * The name of this value in JSON.
	 * @return the lower-case name
	 */
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

}
