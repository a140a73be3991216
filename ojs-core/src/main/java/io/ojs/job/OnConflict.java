package io.ojs.job;

import java.util.Locale;

/**
 * What becomes of a job when there is one already that it was not to meet (OJS Unique
 * Jobs §5).
 */
public enum OnConflict {

	/** The new job is refused. */
	REJECT,

	/** The existing job is cancelled, and the new one takes its place. */
	REPLACE,

	/**
	 * The same, but an existing job that is scheduled stays and keeps its time: it is
	 * given the arguments, and whatever else there is, of the new one.
	 */
	REPLACE_EXCEPT_SCHEDULE,

	/** The new job is dropped; whoever enqueued it gets the existing one. */
	IGNORE;

	/**
	 * The value with this name on the wire.
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
