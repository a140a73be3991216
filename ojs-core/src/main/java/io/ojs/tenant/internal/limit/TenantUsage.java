package io.ojs.tenant.internal.limit;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import io.ojs.tenant.TenantEvent;

/**
 * Counts what tenants have, to enforce their limits. All methods are called in the
 * transaction that inserts jobs.
 */
public interface TenantUsage {

	/**
	 * Locks a tenant until the transaction ends, and creates the row to lock if
	 * necessary. No other transaction that locks the same tenant counts or inserts in the
	 * meantime.
	 */
	void lock(String tenant, Instant now);

	/**
	 * Counts the scheduled jobs of a tenant.
	 * @return how many there are, at most {@code most}
	 */
	long scheduled(String tenant, long most);

	/**
	 * Counts the available and scheduled jobs of a tenant.
	 * @return how many there are, at most {@code most}
	 */
	long waiting(String tenant, long most);

	/**
	 * Finds the last period in which jobs were enqueued for a tenant.
	 * @return the period; empty if there is none
	 */
	Optional<EnqueuePeriod> enqueued(String tenant);

	/**
	 * Records the period in which jobs are enqueued for a tenant. The tenant is locked.
	 */
	void enqueued(String tenant, EnqueuePeriod period);

	/** Appends events to the feed. */
	void append(List<TenantEvent.LimitReached> events, Instant now);

}
