package io.ojs.tenant.internal;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Names of HTTP workers of tenants. Workers of two tenants are different, even if they
 * have the same name.
 */
public final class TenantWorkers {

	/**
	 * No id of a tenant contains it, so workers of two tenants cannot get the same name.
	 * No server refuses it in a path, as it would an encoded slash.
	 */
	private static final char SEPARATOR = '~';

	private static final String FIELD = "worker_id";

	private TenantWorkers() {
	}

	/** Returns the name by which the server knows the worker of a tenant. */
	public static String known(@Nullable String tenant, String said) {
		return (tenant != null) ? tenant + SEPARATOR + said : said;
	}

	/** Whether a worker gets no jobs of a tenant, since it is another tenant's. */
	public static boolean isOfAnother(String id, @Nullable String tenant) {
		int end = id.indexOf(SEPARATOR);
		return end >= 0 && !id.substring(0, end).equals(tenant);
	}

	/**
	 * Leaves the worker out of the data of an event, as the job's tenant may see it,
	 * unless it is the tenant's own: the names of processes tell hosts.
	 */
	public static Map<String, @Nullable Object> hideOthers(Map<String, @Nullable Object> data, String tenant) {
		if (!(data.get(FIELD) instanceof String id) || id.startsWith(tenant + SEPARATOR)) {
			return data;
		}
		Map<String, @Nullable Object> told = new LinkedHashMap<>(data);
		told.remove(FIELD);
		return told;
	}

}
