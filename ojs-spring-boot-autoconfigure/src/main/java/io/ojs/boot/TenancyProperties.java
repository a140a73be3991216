package io.ojs.boot;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Tenants that jobs belong to. Over HTTP, a tenant sees only its own jobs.
 *
 * @param enabled Whether jobs belong to tenants.
 * @param required Whether a job without a tenant is rejected.
 * @param fairShares Whether further jobs of a tenant that has many in a queue wait in the
 * job store, so that jobs of other tenants do not wait behind them.
 * @param maxWindow Largest number of jobs that all tenants with waiting jobs have
 * together in one queue of the broker, 10 to 1000.
 * @param limits Limits of each tenant; needs a job store.
 * @param tenants Limits of single tenants, by their ids. An id with other characters than
 * lower-case letters, digits and - is written in brackets.
 * @param metrics Meters of tenants.
 */
public record TenancyProperties(@DefaultValue("false") boolean enabled, @DefaultValue("true") boolean required,
		@DefaultValue("true") boolean fairShares, @DefaultValue("500") int maxWindow,
		@DefaultValue TenantProperties limits, @DefaultValue Map<String, TenantProperties> tenants,
		@DefaultValue MetricsProperties metrics) {

	/**
	 * Limits of a tenant, over all queues. A value that is left out is no limit.
	 *
	 * @param maxConcurrency Largest number of jobs that run at the same time.
	 * @param maxEnqueueRate Largest number of jobs that are enqueued in a period.
	 * @param maxQueueDepth Largest number of jobs that are available or scheduled.
	 * @param maxScheduled Largest number of jobs that are scheduled.
	 */
	public record TenantProperties(@Nullable Integer maxConcurrency, @DefaultValue RateProperties maxEnqueueRate,
			@Nullable Long maxQueueDepth, @Nullable Long maxScheduled) {
	}

	/**
	 * Meters of tenants.
	 *
	 * @param tenants Ids of the tenants with meters of their own, at most 100; all other
	 * tenants share one set. Without any id, there are no meters of tenants.
	 */
	public record MetricsProperties(@DefaultValue List<String> tenants) {
	}

	/**
	 * Rate, as a number in a period.
	 *
	 * @param limit Largest number in each period, 1 to 1000000000.
	 * @param period Length of a period, 1ms to 366d.
	 */
	public record RateProperties(@Nullable Long limit, @Nullable Duration period) {
	}

}
