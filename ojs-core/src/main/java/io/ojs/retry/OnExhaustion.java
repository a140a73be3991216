package io.ojs.retry;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * What happens to a job after its last attempt has failed, or with an error that is not
 * retried (OJS Retry §2.2).
 */
public enum OnExhaustion {

	/** The job becomes a dead letter, which operators can find and replay. */
	DEAD_LETTER,

	/** The job is discarded and does not become a dead letter. */
	DISCARD;

	/**
	 * The value with this name in JSON.
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
