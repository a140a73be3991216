package io.ojs.jdbc.internal;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import io.ojs.job.Rate;
import org.jspecify.annotations.Nullable;

/**
 * Limits on jobs beside those that jobs name themselves.
 *
 * @param queueRates how many jobs of a queue may start in a period; empty for no limit
 * @param tenantConcurrency how many jobs of a tenant may run at once; empty for no limit
 * @param known whether this process knows both, as every process that runs jobs must; a
 * process that does not leaves waiting jobs to processes that do
 */
public record StartLimits(Function<String, Optional<Rate>> queueRates,
		Function<String, Optional<Integer>> tenantConcurrency, BooleanSupplier known) {

	/**
	 * Prefix of the key of a queue's limit. No job can name such a key: it could change
	 * how fast the queue is.
	 */
	public static final String QUEUE = "@queue@";

	/** Prefix of the key of a tenant's limit. No job can name such a key. */
	public static final String TENANT = "@running@";

	/** No limits. */
	public static final StartLimits NONE = new StartLimits((queue) -> Optional.empty(), (tenant) -> Optional.empty(),
			() -> true);

	/** Returns the tenant whose limit has a key; {@code null} for another limit. */
	public static @Nullable String tenantOf(String key) {
		return key.startsWith(TENANT) ? key.substring(TENANT.length()) : null;
	}

	/** Whether a key is that of the limit of a queue. */
	public static boolean isOfQueue(String key) {
		return key.startsWith(QUEUE);
	}

}
