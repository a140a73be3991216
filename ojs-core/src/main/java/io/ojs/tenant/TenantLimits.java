package io.ojs.tenant;

import java.time.Duration;

import io.ojs.job.InvalidJobException;
import io.ojs.job.Rate;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a tenant over all queues (OJS Multi-Tenancy §8.1); {@code null} for no
 * limit.
 * <p>
 * Begin with {@link #NONE}: the constructor changes when a component is added.
 *
 * @param maxConcurrency how many of its jobs may run at the same time, 0 or more
 * @param maxEnqueueRate how many jobs may be enqueued for it in a period
 * @param maxQueueDepth how many of its jobs may be available or scheduled, 0 or more
 * @param maxScheduled how many of its jobs may be scheduled, 0 or more
 */
public record TenantLimits(@Nullable Integer maxConcurrency, @Nullable Rate maxEnqueueRate,
		@Nullable Long maxQueueDepth, @Nullable Long maxScheduled) {

	/** No limits. */
	public static final TenantLimits NONE = new TenantLimits(null, null, null, null);

	/**
	 * Checks the limits.
	 * @throws IllegalArgumentException if a number is negative, or the rate is out of
	 * range
	 */
	public TenantLimits {
		notNegative("maxConcurrency", maxConcurrency);
		notNegative("maxQueueDepth", maxQueueDepth);
		notNegative("maxScheduled", maxScheduled);
		if (maxEnqueueRate != null) {
			checked(maxEnqueueRate);
		}
	}

	private static void checked(Rate rate) {
		try {
			rate.check("maxEnqueueRate");
		}
		catch (InvalidJobException ex) {
			// The limits are not part of a job.
			throw new IllegalArgumentException(ex.getMessage(), ex);
		}
	}

	private static void notNegative(String name, @Nullable Number value) {
		if (value != null && value.longValue() < 0) {
			throw new IllegalArgumentException(name + " = " + value + ": must be 0 or more, or null for no limit");
		}
	}

	/**
	 * Sets how many jobs of the tenant may run at the same time.
	 * @param value 0 or more
	 * @return a changed copy
	 * @throws IllegalArgumentException if the value is negative
	 */
	public TenantLimits maxConcurrency(int value) {
		return new TenantLimits(value, this.maxEnqueueRate, this.maxQueueDepth, this.maxScheduled);
	}

	/**
	 * Sets how many jobs may be enqueued for the tenant in a period.
	 * @param limit the number of jobs, 1 to {@value Rate#MAX_LIMIT}
	 * @param period the period, at most {@link Rate#MAX_PERIOD}
	 * @return a changed copy
	 * @throws IllegalArgumentException if the rate is out of range
	 */
	public TenantLimits maxEnqueueRate(long limit, Duration period) {
		return new TenantLimits(this.maxConcurrency, new Rate(limit, period), this.maxQueueDepth, this.maxScheduled);
	}

	/**
	 * Sets how many jobs of the tenant may be available or scheduled.
	 * @param value 0 or more
	 * @return a changed copy
	 * @throws IllegalArgumentException if the value is negative
	 */
	public TenantLimits maxQueueDepth(long value) {
		return new TenantLimits(this.maxConcurrency, this.maxEnqueueRate, value, this.maxScheduled);
	}

	/**
	 * Sets how many jobs of the tenant may be scheduled.
	 * @param value 0 or more
	 * @return a changed copy
	 * @throws IllegalArgumentException if the value is negative
	 */
	public TenantLimits maxScheduled(long value) {
		return new TenantLimits(this.maxConcurrency, this.maxEnqueueRate, this.maxQueueDepth, value);
	}

	/**
	 * Completes these limits by defaults.
	 * @param defaults the limits in place of those that are not set here
	 * @return the completed limits
	 */
	public TenantLimits over(TenantLimits defaults) {
		return new TenantLimits((this.maxConcurrency != null) ? this.maxConcurrency : defaults.maxConcurrency,
				(this.maxEnqueueRate != null) ? this.maxEnqueueRate : defaults.maxEnqueueRate,
				(this.maxQueueDepth != null) ? this.maxQueueDepth : defaults.maxQueueDepth,
				(this.maxScheduled != null) ? this.maxScheduled : defaults.maxScheduled);
	}

	/**
	 * Whether there is a limit that can reject jobs when they are enqueued.
	 * @return whether any limit but {@code maxConcurrency} is set
	 */
	public boolean limitsEnqueueing() {
		return this.maxEnqueueRate != null || this.maxQueueDepth != null || this.maxScheduled != null;
	}

}
