package io.ojs.job;

import java.time.Duration;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * A limit for all jobs with the same key, in all processes (OJS Rate Limiting §6). If it
 * has several parts, all of them hold at once. Immutable; each method returns a changed
 * copy. {@code enqueue} checks the limit.
 *
 * <pre>{@code
 * JobRequest.of("invoice.charge", invoice).rateLimit(RateLimit.of("stripe").concurrency(5).perSecond(50))
 * }</pre>
 * <p>
 * Use {@link #of} and the methods that change a copy: the constructor changes when a
 * component is added.
 *
 * @param key the name of the limit, such as {@code stripe-api}: all jobs with this key
 * share it
 * @param concurrency how many jobs may run at the same time; 0 lets none start;
 * {@code null} for any number
 * @param rate how many jobs may start in each period, all at once if they are there
 * @param throttle how many jobs may start in each period, spread evenly
 * @param onLimit what happens to a job that may not start
 * @param scope which jobs share the limit; {@code null} for those of the same tenant if
 * the job has one, and otherwise for all
 * @param retryPriority whether retries come before or after new jobs when the limit lets
 * waiting jobs through
 */
public record RateLimit(String key, @Nullable Integer concurrency, @Nullable Rate rate, @Nullable Rate throttle,
		OnLimit onLimit, @Nullable RateScope scope, RetryPriority retryPriority) {

	/** The field of the envelope that holds the limit. */
	public static final String FIELD = "rate_limit";

	private static final int MAX_KEY_LENGTH = 200;

	private static final Pattern KEY = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9._:-]*");

	/**
	 * Creates a limit without any bound.
	 * @param key the name of the limit: letters, digits, {@code . _ : -}, at most 200
	 * characters
	 * @return the limit; it needs a concurrency, rate or throttle to be valid
	 */
	public static RateLimit of(String key) {
		return new RateLimit(key, null, null, null, OnLimit.WAIT, null, RetryPriority.EQUAL);
	}

	/**
	 * Limits how many jobs run at the same time.
	 * @param value how many; 0 lets none start
	 * @return a changed copy
	 */
	public RateLimit concurrency(int value) {
		return new RateLimit(this.key, value, this.rate, this.throttle, this.onLimit, this.scope, this.retryPriority);
	}

	/**
	 * Limits how many jobs start in each period.
	 * @param limit how many, at least 1
	 * @param period the length of the period
	 * @return a changed copy
	 */
	public RateLimit rate(long limit, Duration period) {
		return new RateLimit(this.key, this.concurrency, new Rate(limit, period), this.throttle, this.onLimit,
				this.scope, this.retryPriority);
	}

	/**
	 * Limits how many jobs start in each second.
	 * @param limit how many, at least 1
	 * @return a changed copy
	 */
	public RateLimit perSecond(long limit) {
		return rate(limit, Duration.ofSeconds(1));
	}

	/**
	 * Limits how many jobs start in each period, and spreads them evenly over it.
	 * @param limit how many, at least 1
	 * @param period the length of the period
	 * @return a changed copy
	 */
	public RateLimit throttle(long limit, Duration period) {
		return new RateLimit(this.key, this.concurrency, this.rate, new Rate(limit, period), this.onLimit, this.scope,
				this.retryPriority);
	}

	/**
	 * Sets what happens to a job that may not start.
	 * @param value wait, reschedule or drop
	 * @return a changed copy
	 */
	public RateLimit onLimit(OnLimit value) {
		return new RateLimit(this.key, this.concurrency, this.rate, this.throttle, value, this.scope,
				this.retryPriority);
	}

	/**
	 * Sets which jobs share the limit (OJS Extension Interactions §6.2).
	 * @param value those of the same tenant, or those of all tenants
	 * @return a changed copy
	 */
	public RateLimit scope(RateScope value) {
		return new RateLimit(this.key, this.concurrency, this.rate, this.throttle, this.onLimit, value,
				this.retryPriority);
	}

	/**
	 * Sets whether retries come before or after new jobs (OJS Extension Interactions
	 * §9.2).
	 * @param value which of them
	 * @return a changed copy
	 */
	public RateLimit retryPriority(RetryPriority value) {
		return new RateLimit(this.key, this.concurrency, this.rate, this.throttle, this.onLimit, this.scope, value);
	}

	/**
	 * The name of the count: the key, and the tenant if each tenant has a count of its
	 * own.
	 * @param tenant the tenant of the job; {@code null} if it has none
	 * @return {@code key}, or {@code key@tenant}
	 */
	public String partition(@Nullable String tenant) {
		return (tenant != null && this.scope != RateScope.GLOBAL) ? this.key + "@" + tenant : this.key;
	}

	/**
	 * Checks the limit (OJS Rate Limiting §6.2).
	 * @return this limit
	 * @throws InvalidJobException if it breaks a rule; the field is a path in the
	 * envelope, such as {@code rate_limit.key}
	 */
	public RateLimit check() {
		if (this.key.length() > MAX_KEY_LENGTH || !KEY.matcher(this.key).matches()) {
			throw new InvalidJobException(FIELD + ".key", this.key,
					"must begin with a letter or digit, go on with letters, digits and . _ : -, and have at most 200");
		}
		if (this.concurrency != null && this.concurrency < 0) {
			throw new InvalidJobException(FIELD + ".concurrency", this.concurrency,
					"must not be negative; leave it out for any number");
		}
		if (this.rate != null) {
			this.rate.check(FIELD + ".rate");
		}
		if (this.throttle != null) {
			this.throttle.check(FIELD + ".throttle");
		}
		if (this.concurrency == null && this.rate == null && this.throttle == null) {
			throw new InvalidJobException(FIELD, this.key, "must have concurrency, rate or throttle");
		}
		return this;
	}

}
