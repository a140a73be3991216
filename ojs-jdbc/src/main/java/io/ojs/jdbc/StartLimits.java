package io.ojs.jdbc;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import io.ojs.job.Rate;

/**
 * What limits jobs beside what they say themselves.
 *
 * @param queueRates how many jobs of a queue may start in a time, if that is limited
 * @param tenantConcurrency how many jobs of a tenant may run at once, if that is limited
 * @param known whether both are known here, as they have to be wherever jobs are worked.
 * Elsewhere nobody lets jobs through that wait for a limit
 */
public record StartLimits(Function<String, Optional<Rate>> queueRates,
		Function<String, Optional<Integer>> tenantConcurrency, BooleanSupplier known) {

	/** There are none. */
	public static final StartLimits NONE = new StartLimits((queue) -> Optional.empty(), (tenant) -> Optional.empty(),
			() -> true);

}
