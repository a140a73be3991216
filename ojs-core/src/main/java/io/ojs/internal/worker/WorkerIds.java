package io.ojs.internal.worker;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Rules for names of workers.
 */
public final class WorkerIds {

	/** The name of workers that do not send one. */
	static final String ANONYMOUS = "anonymous";

	private static final String FIELD = "worker_id";

	private static final int LONGEST = 128;

	/**
	 * No id of a tenant contains it, so workers of two tenants cannot get the same name.
	 * No server refuses it in a path, as it would an encoded slash.
	 */
	private static final char SEPARATOR = '~';

	private WorkerIds() {
	}

	static String check(String id) {
		if (id.isBlank() || id.length() > LONGEST || id.chars().anyMatch(Character::isISOControl)) {
			throw new InvalidWorkerRequestException(FIELD, id,
					"must be 1 to " + LONGEST + " characters without control characters");
		}
		return id;
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
