package io.ojs.tenant.limit;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What tenants have, as it takes to keep them within their limits. All of it happens in
 * the transaction that inserts jobs.
 */
public interface TenantUsage {

	/**
	 * Locks a tenant until the transaction ends: nobody else who asks for the same lock
	 * counts or inserts meanwhile. Makes what there is to lock, if need be.
	 * @param tenant its id
	 * @param now the time
	 */
	void lock(String tenant, Instant now);

	/**
	 * Counts its scheduled jobs.
	 * @param tenant its id
	 * @param most where to stop counting
	 * @return how many there are, or {@code most}
	 */
	long scheduled(String tenant, long most);

	/**
	 * Counts its available and scheduled jobs.
	 * @param tenant its id
	 * @param most where to stop counting
	 * @return how many there are, or {@code most}
	 */
	long waiting(String tenant, long most);

	/**
	 * Tells what was enqueued for it.
	 * @param tenant its id
	 * @return the last period in which something was; empty if there is none
	 */
	Optional<EnqueuePeriod> enqueued(String tenant);

	/**
	 * Remembers what was enqueued for it. It is locked.
	 * @param tenant its id
	 * @param period the present period
	 */
	void enqueued(String tenant, EnqueuePeriod period);

	/**
	 * Appends to the feed of events.
	 * @param events what happened
	 * @param now when
	 */
	void append(List<TenantEvent.LimitReached> events, Instant now);

}
