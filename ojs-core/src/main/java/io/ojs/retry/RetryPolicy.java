package io.ojs.retry;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;

/**
 * When a failed job is retried, and what happens to it when it is not (OJS Retry §2).
 * <p>
 * Begin with {@link #DEFAULT} and use {@link #with}: the constructor changes when a
 * component is added.
 *
 * @param maxAttempts executions in all; 0 and 1 both mean once
 * @param initialInterval the delay before the first retry, more than zero
 * @param backoffCoefficient how fast delays grow, at least 1.0; the base of the
 * exponential strategy, the exponent of the polynomial one, ignored by the others
 * @param maxInterval the longest delay; at least the initial interval
 * @param jitter whether each delay is multiplied by a random number from [0.5, 1.5)
 * @param nonRetryableErrors error types that are not retried: exact, or a prefix ending
 * in {@code .*}
 * @param onExhaustion what happens to a job that is not retried any more
 * @param backoffStrategy how delays grow
 */
public record RetryPolicy(int maxAttempts, Duration initialInterval, double backoffCoefficient, Duration maxInterval,
		boolean jitter, List<String> nonRetryableErrors, OnExhaustion onExhaustion, BackoffStrategy backoffStrategy) {

	/** Default of {@link #maxAttempts}. */
	public static final int DEFAULT_MAX_ATTEMPTS = 3;

	/** Default of {@link #initialInterval}. */
	public static final Duration DEFAULT_INITIAL_INTERVAL = Duration.ofSeconds(1);

	/** Default of {@link #backoffCoefficient}. */
	public static final double DEFAULT_BACKOFF_COEFFICIENT = 2.0;

	/** Default of {@link #maxInterval}. */
	public static final Duration DEFAULT_MAX_INTERVAL = Duration.ofMinutes(5);

	/** The policy where neither the job nor its handler nor its queue sets anything. */
	public static final RetryPolicy DEFAULT = new RetryPolicy(DEFAULT_MAX_ATTEMPTS, DEFAULT_INITIAL_INTERVAL,
			DEFAULT_BACKOFF_COEFFICIENT, DEFAULT_MAX_INTERVAL, true, List.of(), OnExhaustion.DEAD_LETTER,
			BackoffStrategy.EXPONENTIAL);

	/**
	 * A century, whatever a policy asks for: the end of the delay must be a time that can
	 * be stored and written.
	 */
	private static final double LONGEST_DELAY_MILLIS = Duration.ofDays(36_525).toMillis();

	public RetryPolicy {
		require(maxAttempts >= 0, "max_attempts", maxAttempts, "must not be negative");
		require(initialInterval.compareTo(Duration.ZERO) > 0, "initial_interval", initialInterval,
				"must be longer than zero");
		require(backoffCoefficient >= 1 && Double.isFinite(backoffCoefficient), "backoff_coefficient",
				backoffCoefficient, "must be 1.0 or more");
		require(maxInterval.compareTo(initialInterval) >= 0, "max_interval", maxInterval,
				"must not be shorter than initial_interval (" + initialInterval + ")");
		nonRetryableErrors = List.copyOf(nonRetryableErrors);
	}

	private static void require(boolean holds, String field, Object value, String problem) {
		if (!holds) {
			throw new InvalidRetryPolicyException(field, value, problem);
		}
	}

	/**
	 * Overrides this policy.
	 * @param overrides the settings to change; {@code null} for none
	 * @return the changed policy
	 * @throws InvalidRetryPolicyException if the result breaks a rule
	 */
	public RetryPolicy with(@Nullable RetryOverrides overrides) {
		if (overrides == null) {
			return this;
		}
		return new RetryPolicy(or(overrides.maxAttempts(), this.maxAttempts),
				or(overrides.initialInterval(), this.initialInterval),
				or(overrides.backoffCoefficient(), this.backoffCoefficient),
				or(overrides.maxInterval(), this.maxInterval), or(overrides.jitter(), this.jitter),
				or(overrides.nonRetryableErrors(), this.nonRetryableErrors),
				or(overrides.onExhaustion(), this.onExhaustion), or(overrides.backoffStrategy(), this.backoffStrategy));
	}

	/**
	 * Converts this policy to overrides that set every value.
	 * @return the same values
	 */
	public RetryOverrides asOverrides() {
		return new RetryOverrides(this.maxAttempts, this.initialInterval, this.backoffCoefficient, this.maxInterval,
				this.jitter, this.nonRetryableErrors, this.onExhaustion, this.backoffStrategy, Map.of());
	}

	private static <T> T or(@Nullable T value, T fallback) {
		return (value != null) ? value : fallback;
	}

	/**
	 * Whether errors of a type are never retried (OJS Retry §6.2).
	 * @param errorType the type of the error
	 * @return whether an entry of {@link #nonRetryableErrors} matches it
	 */
	public boolean isNonRetryable(String errorType) {
		for (String entry : this.nonRetryableErrors) {
			boolean prefix = entry.endsWith(".*");
			if (prefix ? errorType.startsWith(entry.substring(0, entry.length() - 1)) : errorType.equals(entry)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * The delay before a retry: computed by the strategy, capped, multiplied by the
	 * jitter, capped again (OJS Retry §3, §5).
	 * @param retry the number of the retry, from 1; it follows the attempt with the same
	 * number
	 * @param random the source of jitter
	 * @return the delay, in whole milliseconds, from one millisecond to a century
	 */
	public Duration delay(int retry, RandomGenerator random) {
		double cap = millis(this.maxInterval);
		double delay = Math.min(cap,
				millis(this.initialInterval) * this.backoffStrategy.factor(retry, this.backoffCoefficient));
		if (this.jitter) {
			delay = Math.min(cap, delay * random.nextDouble(0.5, 1.5));
		}
		return Duration.ofMillis(Math.max(1, Math.round(Math.min(delay, LONGEST_DELAY_MILLIS))));
	}

	/**
	 * The length of a duration. {@link Duration#toMillis()} throws for the values of a
	 * hostile policy.
	 */
	private static double millis(Duration duration) {
		return duration.getSeconds() * 1e3 + duration.getNano() / 1e6;
	}

}
