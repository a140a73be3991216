package io.ojs.retry;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * What becomes of a job that failed for good (OJS Retry §2.2).
 */
public enum OnExhaustion {

	/** Keep it in the dead letter queue, where it can be looked at and replayed. */
	DEAD_LETTER,

	/** Let it go. */
	DISCARD;

	/**
	 * The value with this name on the wire.
	 * @param value {@code dead_letter} or {@code discard}
	 * @return the value
	 * @throws InvalidRetryPolicyException if there is no such value
	 */
	public static OnExhaustion fromWire(@Nullable String value) {
		for (OnExhaustion candidate : values()) {
			if (candidate.wireName().equals(value)) {
				return candidate;
			}
		}
		throw new InvalidRetryPolicyException("on_exhaustion", value, "must be dead_letter or discard");
	}

	/**
	 * The name of this value in JSON.
	 * @return the lower-case name
	 */
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

}
