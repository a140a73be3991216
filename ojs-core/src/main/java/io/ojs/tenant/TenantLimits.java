package io.ojs.tenant;

import io.ojs.job.InvalidJobException;
import io.ojs.job.Rate;
import org.jspecify.annotations.Nullable;

/**
 * What a tenant may have at most, over all queues (OJS Multi-Tenancy §8.1). What is left
 * out is not limited.
 *
 * @param maxConcurrency how many of its jobs may run at the same time, 0 or more
 * @param maxEnqueueRate how many jobs may be enqueued for it in a period
 * @param maxQueueDepth how many of its jobs may be available or scheduled, 0 or more
 * @param maxScheduled how many of its jobs may be scheduled, 0 or more
 */
public record TenantLimits(@Nullable Integer maxConcurrency, @Nullable Rate maxEnqueueRate,
		@Nullable Long maxQueueDepth, @Nullable Long maxScheduled) {

	/** Nothing is limited. */
	public static final TenantLimits NONE = new TenantLimits(null, null, null, null);

	/**
	 * Checks the limits.
	 * @throws IllegalArgumentException if a number is negative, or the rate out of range
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
			// No job is to blame.
			throw new IllegalArgumentException(ex.getMessage(), ex);
		}
	}

	private static void notNegative(String name, @Nullable Number value) {
		if (value != null && value.longValue() < 0) {
			throw new IllegalArgumentException(name + " = " + value + ": must be 0 or more, or null for no limit");
		}
	}

	/**
	 * Completes these limits by others.
	 * @param defaults what holds where these say nothing
	 * @return both together
	 */
	public TenantLimits over(TenantLimits defaults) {
		return new TenantLimits((this.maxConcurrency != null) ? this.maxConcurrency : defaults.maxConcurrency,
				(this.maxEnqueueRate != null) ? this.maxEnqueueRate : defaults.maxEnqueueRate,
				(this.maxQueueDepth != null) ? this.maxQueueDepth : defaults.maxQueueDepth,
				(this.maxScheduled != null) ? this.maxScheduled : defaults.maxScheduled);
	}

	/**
	 * Whether jobs may be refused when they are enqueued.
	 * @return whether there is any limit but that of jobs that run
	 */
	public boolean limitsEnqueueing() {
		return this.maxEnqueueRate != null || this.maxQueueDepth != null || this.maxScheduled != null;
	}

}
