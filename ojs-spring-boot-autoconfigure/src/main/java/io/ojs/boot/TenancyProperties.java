package io.ojs.boot;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.ojs.job.Rate;
import io.ojs.tenant.TenantLimits;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Jobs that belong to tenants, which see nothing of each other.
 *
 * @param enabled Whether jobs belong to tenants.
 * @param required Whether a job that belongs to nobody is refused.
 * @param fairShares Whether jobs of a tenant that has many in a queue wait in the job
 * store, so that those of others do not wait behind them.
 * @param maxWindow Number of jobs that tenants whose jobs wait have at the broker at
 * most, all of them together and in one queue, 10 or more.
 * @param limits What each tenant may have at most; needs a job store.
 * @param tenants What single tenants may have at most, by their ids; an id with anything
 * but lower-case letters, digits and - is written in brackets.
 * @param metrics Meters of tenants.
 */
public record TenancyProperties(@DefaultValue("false") boolean enabled, @DefaultValue("true") boolean required,
		@DefaultValue("true") boolean fairShares, @DefaultValue("500") int maxWindow,
		@DefaultValue TenantProperties limits, @DefaultValue Map<String, TenantProperties> tenants,
		@DefaultValue MetricsProperties metrics) {

	/**
	 * What a tenant may have at most, over all queues. What is left out is not limited.
	 *
	 * @param maxConcurrency Number of jobs that run at the same time.
	 * @param maxEnqueueRate Number of jobs that are enqueued in a period.
	 * @param maxQueueDepth Number of jobs that are available or scheduled.
	 * @param maxScheduled Number of jobs that are scheduled.
	 */
	public record TenantProperties(@Nullable Integer maxConcurrency, @DefaultValue RateProperties maxEnqueueRate,
			@Nullable Long maxQueueDepth, @Nullable Long maxScheduled) {

		TenantLimits limits() {
			return new TenantLimits(this.maxConcurrency, this.maxEnqueueRate.rate(), this.maxQueueDepth,
					this.maxScheduled);
		}

	}

	/**
	 * Meters of tenants.
	 *
	 * @param tenants Ids of tenants that have meters of their own, at most 100; all
	 * others share theirs. Without any, there are no meters of tenants.
	 */
	public record MetricsProperties(@DefaultValue List<String> tenants) {
	}

	/**
	 * A number in a period.
	 *
	 * @param limit Number in each period.
	 * @param period Length of a period.
	 */
	public record RateProperties(@Nullable Long limit, @Nullable Duration period) {

		@Nullable Rate rate() {
			return (this.limit != null && this.period != null) ? new Rate(this.limit, this.period) : null;
		}

	}

}
