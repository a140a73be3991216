package io.ojs.tenant;

/**
 * Returns the limits of tenants. Applications implement it to store limits themselves,
 * such as in their own database, and to change them at run time. By default, properties
 * define them.
 */
@FunctionalInterface
public interface TenantLimitSource {

	/** No limits. */
	TenantLimitSource NONE = (tenant) -> TenantLimits.NONE;

	/**
	 * The limits of a tenant. Called for each job that is enqueued, begins or ends, by
	 * many threads and within transactions of the job store. So it has to be fast and
	 * thread-safe, to cache its results, and not to use the job store or let the
	 * surrounding transaction fail. If it throws, the caller of {@code enqueue} gets the
	 * exception; for existing jobs, the limits that it returned last stay in force.
	 * @param tenant the id of the tenant
	 * @return its limits; {@link TenantLimits#NONE} if it has none
	 */
	TenantLimits of(String tenant);

}
