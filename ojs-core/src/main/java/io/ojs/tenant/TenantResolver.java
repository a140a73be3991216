package io.ojs.tenant;

import java.util.Optional;

/**
 * Tells whom the present thread works for, such as from the security context. To be
 * implemented by applications whose jobs belong to tenants (OJS Multi-Tenancy §5.2).
 */
@FunctionalInterface
public interface TenantResolver {

	/** Does not know. */
	TenantResolver NONE = Optional::empty;

	/**
	 * Tells the tenant. Called when a job is enqueued, a workflow is started and a
	 * request is answered; not for handlers, which work for the tenants of their jobs. It
	 * is asked on the threads of crons and workflows too, so it has to tell nobody where
	 * nobody is known, and not somebody by default.
	 * @return the id of the tenant, as {@link Tenants#isValid} wants it; empty if the
	 * thread works for nobody in particular
	 */
	Optional<String> currentTenant();

}
