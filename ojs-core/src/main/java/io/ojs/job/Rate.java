package io.ojs.job;

import java.time.Duration;

/**
 * How many jobs may start in a period.
 *
 * @param limit the most starts, 1 to 1,000,000,000
 * @param period the length of the period, from a millisecond to 366 days
 */
public record Rate(long limit, Duration period) {

	/** The highest {@link #limit}. */
	public static final long MAX_LIMIT = 1_000_000_000;

	/** The longest {@link #period}. */
	public static final Duration MAX_PERIOD = Duration.ofDays(366);

	/**
	 * Checks the rate.
	 * @param field the path of the rate in the envelope, such as {@code rate_limit.rate}
	 * @return this rate
	 * @throws InvalidJobException if it breaks a rule
	 */
	public Rate check(String field) {
		if (this.limit < 1 || this.limit > MAX_LIMIT) {
			throw new InvalidJobException(field + ".limit", this.limit, "must be from 1 to 1000000000");
		}
		if (this.period.compareTo(Duration.ofMillis(1)) < 0 || this.period.compareTo(MAX_PERIOD) > 0) {
			throw new InvalidJobException(field + ".period", this.period,
					"must be from a millisecond (PT0.001S) to 366 days (P366D)");
		}
		return this;
	}

	/**
	 * The time between two starts that are spread evenly.
	 * @return the period divided by the limit, at least a nanosecond
	 */
	public Duration interval() {
		Duration interval = this.period.dividedBy(this.limit);
		return interval.isZero() ? Duration.ofNanos(1) : interval;
	}

}
