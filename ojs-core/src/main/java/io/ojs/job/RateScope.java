package io.ojs.job;

import java.util.Locale;

/**
 * Which jobs share the count of a rate limit (OJS Extension Interactions §6.2).
 */
public enum RateScope {

	/** Each tenant has a count of its own. Jobs without a tenant share one. */
	TENANT,

	/** All jobs with the key share one count, whatever their tenant. */
	GLOBAL;

	/**
	 * The value with this name in JSON.
	 * @param value {@code tenant} or {@code global}
	 * @return the value
	 * @throws InvalidJobException if there is no such value
	 */
	public static RateScope fromWire(String value) {
		for (RateScope candidate : values()) {
			if (candidate.wireName().equals(value)) {
				return candidate;
			}
		}
		throw new InvalidJobException("rate_limit.scope", value, "must be tenant or global");
	}

	/**
	 * The name of this value in JSON.
	 * @return the lower-case name
	 */
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

}
