package io.ojs.web.endpoint;

import io.ojs.web.HttpCall;
import org.jspecify.annotations.Nullable;

/**
 * Names of workers: those of a tenant are its own, whatever others call theirs.
 */
final class TenantWorkers {

	/** In no id of a tenant, so that two of them cannot mean the same worker. */
	private static final String SEPARATOR = "/";

	private TenantWorkers() {
	}

	/** The name by which a worker is known here. */
	static @Nullable String known(HttpCall call, @Nullable String said) {
		return (said != null) ? known(call.tenant(), said) : null;
	}

	static String known(@Nullable String tenant, String said) {
		return (tenant != null) ? tenant + SEPARATOR + said : said;
	}

}
