package io.ojs.tenant;

import java.util.Optional;

/**
 * Returns the tenant of the current thread, such as from the security context.
 * Applications whose jobs belong to tenants implement it (OJS Multi-Tenancy §5.2).
 */
@FunctionalInterface
public interface TenantResolver {

	/** Returns no tenant. */
	TenantResolver NONE = Optional::empty;

	/**
	 * The tenant of the current thread. Called when a job is enqueued, a workflow is
	 * started and a request is answered; not for handlers, which work for the tenants of
	 * their jobs. Also called on the threads of crons and workflows, so it must return an
	 * empty result, not a default tenant, on threads without one.
	 * @return a {@linkplain Tenants#isValid valid} id; empty if the thread works for no
	 * tenant
	 */
	Optional<String> currentTenant();

}
