package io.ojs.tenant;

import io.ojs.job.InvalidJobException;

/**
 * A job has no tenant, and the application requires one (OJS Multi-Tenancy §5.1).
 */
public class TenantRequiredException extends InvalidJobException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception for a job without a tenant.
	 */
	public TenantRequiredException() {
		super("meta." + Tenants.META_KEY, null,
				"must name the job's tenant, or the thread must work for one; or set ojs.tenancy.required=false");
	}

}
