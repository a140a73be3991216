package io.ojs.web.internal.worker;

import io.ojs.web.internal.HttpCall;
import org.jspecify.annotations.Nullable;

/**
 * Names of workers. Workers of two tenants are different, even if they have the same
 * name.
 */
final class TenantWorkers {

	/**
	 * No id of a tenant contains it, so workers of two tenants cannot get the same name.
	 * No server refuses it in a path, as it would an encoded slash.
	 */
	private static final String SEPARATOR = "~";

	private TenantWorkers() {
	}

	/** Returns the name by which the server knows a worker. */
	static @Nullable String known(HttpCall call, @Nullable String said) {
		return (said != null) ? known(call.tenant(), said) : null;
	}

	static String known(@Nullable String tenant, String said) {
		return (tenant != null) ? tenant + SEPARATOR + said : said;
	}

}
