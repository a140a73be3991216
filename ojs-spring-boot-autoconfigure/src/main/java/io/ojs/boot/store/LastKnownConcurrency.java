package io.ojs.boot.store;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import io.ojs.internal.log.SafeLogger;
import io.ojs.tenant.TenantLimitSource;
import io.ojs.tenant.internal.ThreadTenants;
import org.slf4j.Logger;

/**
 * How many jobs of a tenant may run at the same time. If the {@link TenantLimitSource} of
 * the application throws an exception, this class returns the last known value: the
 * transaction that asks may begin or end jobs of other tenants, too, and must not fail.
 */
final class LastKnownConcurrency implements Function<String, Optional<Integer>> {

	private static final Logger logger = SafeLogger.of(LastKnownConcurrency.class);

	private final ThreadTenants tenants;

	private final TenantLimitSource source;

	private final Map<String, Integer> known = new ConcurrentHashMap<>();

	LastKnownConcurrency(ThreadTenants tenants, TenantLimitSource source) {
		this.tenants = tenants;
		this.source = source;
	}

	@Override
	public Optional<Integer> apply(String tenant) {
		if (!this.tenants.isEnabled()) {
			return Optional.empty();
		}
		try {
			Integer most = this.source.of(tenant).maxConcurrency();
			if (most == null) {
				this.known.remove(tenant);
			}
			else {
				this.known.put(tenant, most);
			}
			return Optional.ofNullable(most);
		}
		catch (RuntimeException ex) {
			Optional<Integer> last = Optional.ofNullable(this.known.get(tenant));
			logger.warn(
					"The TenantLimitSource does not tell the limits of tenant '{}', of which {} run at once meanwhile",
					tenant, last.map((most) -> "at most " + most).orElse("any number of jobs"), ex);
			return last;
		}
	}

}
