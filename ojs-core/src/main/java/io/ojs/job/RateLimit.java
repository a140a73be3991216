package io.ojs.job;

import java.time.Duration;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * What holds for all jobs with the same key (OJS Rate Limiting §6), whichever process
 * runs them. All that is given holds at once. Immutable; each method gives a changed
 * copy. Nothing is checked before the job is enqueued.
 *
 * <pre>{@code
 * JobRequest.of("invoice.charge", invoice).rateLimit(RateLimit.of("stripe").concurrency(5).perSecond(50))
 * }</pre>
 *
 * @param key what is limited, such as {@code stripe-api}: all jobs that name it share the
 * limit
 * @param concurrency how many may run at the same time; 0 lets none start; {@code null}
 * for any number
 * @param rate how many may start in each period, all at once if they are there
 * @param throttle how many may start in each period, spread evenly
 * @param onLimit what becomes of a job that has to wait
 * @param scope who shares the limit; {@code null} for the job's tenant if it has one, and
 * for all if it has none
 * @param retryPriority whether retries come before or after new jobs when the limit lets
 * the next ones through
 */
public record RateLimit(String key, @Nullable Integer concurrency, @Nullable Rate rate, @Nullable Rate throttle,
		OnLimit onLimit, @Nullable RateScope scope, RetryPriority retryPriority) {

	/** The field of the envelope that holds it. */
	public static final String FIELD = "rate_limit";

	private static final int MAX_KEY_LENGTH = 200;

	private static final Pattern KEY = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9._:-]*");

	/**
	 * The key of a limit in JSON that names none.
	 * @param queue the queue of its job
	 * @return the key
	 */
	public static String keyOf(String queue) {
		return "queue:" + queue;
	}

	/**
	 * Begins a limit.
	 * @param key what is limited: letters, digits, {@code . _ : -}, at most 200
	 * @return a limit that limits nothing yet
	 */
	public static RateLimit of(String key) {
		return new RateLimit(key, null, null, null, OnLimit.WAIT, null, RetryPriority.EQUAL);
	}

	/**
	 * Limits how many run at the same time.
	 * @param value how many; 0 lets none start
	 * @return a changed copy
	 */
	public RateLimit concurrency(int value) {
		return new RateLimit(this.key, value, this.rate, this.throttle, this.onLimit, this.scope, this.retryPriority);
	}

	/**
	 * Lets any number run at the same time.
	 * @return a changed copy
	 */
	public RateLimit anyConcurrency() {
		return new RateLimit(this.key, null, this.rate, this.throttle, this.onLimit, this.scope, this.retryPriority);
	}

	/**
	 * Limits how many start in each period.
	 * @param limit how many, at least 1
	 * @param period how long
	 * @return a changed copy
	 */
	public RateLimit rate(long limit, Duration period) {
		return new RateLimit(this.key, this.concurrency, new Rate(limit, period), this.throttle, this.onLimit,
				this.scope, this.retryPriority);
	}

	/**
	 * Limits how many start in each second.
	 * @param limit how many, at least 1
	 * @return a changed copy
	 */
	public RateLimit perSecond(long limit) {
		return rate(limit, Duration.ofSeconds(1));
	}

	/**
	 * Limits how many start in each period, and spreads them evenly over it.
	 * @param limit how many, at least 1
	 * @param period how long
	 * @return a changed copy
	 */
	public RateLimit throttle(long limit, Duration period) {
		return new RateLimit(this.key, this.concurrency, this.rate, new Rate(limit, period), this.onLimit, this.scope,
				this.retryPriority);
	}

	/**
	 * Sets what becomes of a job that has to wait.
	 * @param value wait, reschedule or drop
	 * @return a changed copy
	 */
	public RateLimit onLimit(OnLimit value) {
		return new RateLimit(this.key, this.concurrency, this.rate, this.throttle, value, this.scope,
				this.retryPriority);
	}

	/**
	 * Sets who shares the limit (OJS Extension Interactions §6.2).
	 * @param value the tenant of the job, or all tenants
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
	 * What is counted together: the key, and whose it is if each tenant has a count of
	 * its own.
	 * @param tenant the tenant of the job; {@code null} if it has none
	 * @return {@code key}, or {@code key@tenant}
	 */
	public String partition(@Nullable String tenant) {
		return (tenant != null && this.scope != RateScope.GLOBAL) ? this.key + "@" + tenant : this.key;
	}

	/**
	 * Checks the limit (OJS Rate Limiting §6.2).
	 * @return this limit
	 * @throws InvalidJobException if it breaks a rule; the field is named from the job's
	 * point of view, such as {@code rate_limit.key}
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
