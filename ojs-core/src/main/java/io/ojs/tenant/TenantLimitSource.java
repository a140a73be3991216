package io.ojs.tenant;

/**
 * Tells what tenants may have. To be implemented by applications that keep it themselves,
 * such as in their own database, and so can change it while they run; without that, it is
 * what properties say.
 */
@FunctionalInterface
public interface TenantLimitSource {

	/** Nobody has a limit. */
	TenantLimitSource NONE = (tenant) -> TenantLimits.NONE;

	/**
	 * Tells the limits of a tenant. Asked for each job that is enqueued, begins or ends,
	 * by many threads and within transactions of the job store, so it has to be quick, to
	 * remember what it knows, and to ask nothing of the job store. It must not fail
	 * within the transaction that it is asked in. What it throws goes to whoever
	 * enqueues; for jobs that are there already, what it told last holds on.
	 * @param tenant the id of the tenant
	 * @return its limits; {@link TenantLimits#NONE} if it has none
	 */
	TenantLimits of(String tenant);

}
