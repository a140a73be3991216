package io.ojs.tenant;

import io.ojs.job.InvalidJobException;
import io.ojs.job.Rate;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a tenant over all queues (OJS Multi-Tenancy §8.1); {@code null} for no
 * limit.
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
