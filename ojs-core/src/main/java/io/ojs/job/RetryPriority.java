package io.ojs.job;

import java.util.Locale;

/**
 * Which of those that wait for a limit are let through first (OJS Extension Interactions
 * §9.2).
 */
public enum RetryPriority {

	/** Retries and new jobs in the order in which they came. */
	EQUAL,

	/** Retries first. */
	PREFER_RETRY,

	/** New jobs first. */
	PREFER_NEW;

	/**
	 * The value with this name on the wire.
	 * @param value {@code equal}, {@code prefer_retry} or {@code prefer_new}
	 * @return the value
	 * @throws InvalidJobException if there is no such value
	 */
	public static RetryPriority fromWire(String value) {
		for (RetryPriority candidate : values()) {
			if (candidate.wireName().equals(value)) {
				return candidate;
			}
		}
		throw new InvalidJobException("rate_limit.retry_priority", value, "must be equal, prefer_retry or prefer_new");
	}

	/**
	 * The name of this value in JSON.
	 * @return the lower-case name
	 */
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

}
