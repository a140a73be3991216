package io.ojs.job;

import java.util.Locale;

/**
 * Which of the jobs that wait for a limit are let through first (OJS Extension
 * Interactions §9.2).
 */
public enum RetryPriority {

	/** Retries and new jobs in the order of their arrival. */
	EQUAL,

	/** Retries first. */
	PREFER_RETRY,

	/** New jobs first. */
	PREFER_NEW;

	/**
	 * The value with this name in JSON.
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
