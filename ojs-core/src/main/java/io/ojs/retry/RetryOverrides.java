package io.ojs.retry;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link RetryPolicy} that one layer sets: a job, a handler or a queue.
 * A {@code null} takes the value of the layer below (OJS Retry §8.1). Immutable; each
 * method returns a changed copy.
 * <p>
 * Begin with {@link #NONE}: the constructor changes when a component is added.
 *
 * @param maxAttempts executions in all
 * @param initialInterval the delay before the first retry
 * @param backoffCoefficient see {@link RetryPolicy}
 * @param maxInterval the longest delay
 * @param jitter whether delays have jitter
 * @param nonRetryableErrors error types that are not retried
 * @param onExhaustion what happens to a job that is not retried any more
 * @param backoffStrategy how delays grow
 * @param extensions fields of the JSON object that OJS Retry does not name
 */
public record RetryOverrides(@Nullable Integer maxAttempts, @Nullable Duration initialInterval,
		@Nullable Double backoffCoefficient, @Nullable Duration maxInterval, @Nullable Boolean jitter,
		@Nullable List<String> nonRetryableErrors, @Nullable OnExhaustion onExhaustion,
		@Nullable BackoffStrategy backoffStrategy, Map<String, @Nullable Object> extensions) {

	/** No settings. */
	public static final RetryOverrides NONE = new RetryOverrides(null, null, null, null, null, null, null, null,
			Map.of());

	public RetryOverrides {
		nonRetryableErrors = (nonRetryableErrors != null) ? List.copyOf(nonRetryableErrors) : null;
		extensions = Collections.unmodifiableMap(new LinkedHashMap<>(extensions));
	}

	/**
	 * Overrides a lower layer with these settings. If only one of the two intervals is
	 * set here and it does not fit the other one of the lower layer, the other one is
	 * changed to fit.
	 * @param lower the values for settings that are not set here
	 * @return both layers
	 */
	public RetryOverrides over(RetryOverrides lower) {
		Duration initial = or(this.initialInterval, lower.initialInterval);
		Duration max = or(this.maxInterval, lower.maxInterval);
		if (initial != null && max != null && initial.compareTo(max) > 0) {
			if (this.maxInterval == null) {
				max = initial;
			}
			else if (this.initialInterval == null) {
				initial = max;
			}
		}
		return new RetryOverrides(or(this.maxAttempts, lower.maxAttempts), initial,
				or(this.backoffCoefficient, lower.backoffCoefficient), max, or(this.jitter, lower.jitter),
				or(this.nonRetryableErrors, lower.nonRetryableErrors), or(this.onExhaustion, lower.onExhaustion),
				or(this.backoffStrategy, lower.backoffStrategy), this.extensions);
	}

	private static <T> @Nullable T or(@Nullable T own, @Nullable T lower) {
		return (own != null) ? own : lower;
	}

	/**
	 * Sets how often the job may be executed in all.
	 * @param value 0 and 1 both mean once
	 * @return a changed copy
	 */
	public RetryOverrides maxAttempts(int value) {
		return new RetryOverrides(value, this.initialInterval, this.backoffCoefficient, this.maxInterval, this.jitter,
				this.nonRetryableErrors, this.onExhaustion, this.backoffStrategy, this.extensions);
	}

	/**
	 * Sets the delay before the first retry.
	 * @param value more than zero
	 * @return a changed copy
	 */
	public RetryOverrides initialInterval(Duration value) {
		return new RetryOverrides(this.maxAttempts, value, this.backoffCoefficient, this.maxInterval, this.jitter,
				this.nonRetryableErrors, this.onExhaustion, this.backoffStrategy, this.extensions);
	}

	/**
	 * Sets the coefficient by which delays grow.
	 * @param value at least 1.0
	 * @return a changed copy
	 */
	public RetryOverrides backoffCoefficient(double value) {
		return new RetryOverrides(this.maxAttempts, this.initialInterval, value, this.maxInterval, this.jitter,
				this.nonRetryableErrors, this.onExhaustion, this.backoffStrategy, this.extensions);
	}

	/**
	 * Sets the longest delay.
	 * @param value at least the initial interval
	 * @return a changed copy
	 */
	public RetryOverrides maxInterval(Duration value) {
		return new RetryOverrides(this.maxAttempts, this.initialInterval, this.backoffCoefficient, value, this.jitter,
				this.nonRetryableErrors, this.onExhaustion, this.backoffStrategy, this.extensions);
	}

	/**
	 * Sets whether delays have jitter.
	 * @param value whether they have
	 * @return a changed copy
	 */
	public RetryOverrides jitter(boolean value) {
		return new RetryOverrides(this.maxAttempts, this.initialInterval, this.backoffCoefficient, this.maxInterval,
				value, this.nonRetryableErrors, this.onExhaustion, this.backoffStrategy, this.extensions);
	}

	/**
	 * Sets the error types that are not retried.
	 * @param values exact types, or prefixes ending in {@code .*}
	 * @return a changed copy
	 */
	public RetryOverrides nonRetryableErrors(String... values) {
		return new RetryOverrides(this.maxAttempts, this.initialInterval, this.backoffCoefficient, this.maxInterval,
				this.jitter, List.of(values), this.onExhaustion, this.backoffStrategy, this.extensions);
	}

	/**
	 * Sets what happens to a job that is not retried any more.
	 * @param value dead letter or discard
	 * @return a changed copy
	 */
	public RetryOverrides onExhaustion(OnExhaustion value) {
		return new RetryOverrides(this.maxAttempts, this.initialInterval, this.backoffCoefficient, this.maxInterval,
				this.jitter, this.nonRetryableErrors, value, this.backoffStrategy, this.extensions);
	}

	/**
	 * Sets how delays grow.
	 * @param value the strategy
	 * @return a changed copy
	 */
	public RetryOverrides backoffStrategy(BackoffStrategy value) {
		return new RetryOverrides(this.maxAttempts, this.initialInterval, this.backoffCoefficient, this.maxInterval,
				this.jitter, this.nonRetryableErrors, this.onExhaustion, value, this.extensions);
	}

}
