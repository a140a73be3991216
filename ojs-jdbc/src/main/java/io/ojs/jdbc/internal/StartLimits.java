package io.ojs.jdbc.internal;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import io.ojs.job.Rate;

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

	/** No limits. */
	public static final StartLimits NONE = new StartLimits((queue) -> Optional.empty(), (tenant) -> Optional.empty(),
			() -> true);

}
