package io.ojs.boot.store;

import java.util.HashMap;
import java.util.Map;

import io.ojs.tenant.TenantLimits;
import io.ojs.tenant.TenantResolver;
import io.ojs.tenant.internal.ThreadTenants;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What holds when the application does not know the limits of a tenant.
 */
class LastKnownConcurrencyTests {

	private final Map<String, Integer> plans = new HashMap<>(Map.of("acme", 3));

	private TenantLimits limits(String tenant) {
		Integer most = this.plans.get(tenant);
		if (most == null) {
			throw new IllegalStateException("no plan of " + tenant);
		}
		return (most > 0) ? TenantLimits.NONE.maxConcurrency(most) : TenantLimits.NONE;
	}

	private LastKnownConcurrency concurrency(boolean enabled) {
		return new LastKnownConcurrency(new ThreadTenants(enabled, enabled, TenantResolver.NONE), this::limits);
	}

	@Test
	void whatWasToldLastHoldsOn() {
		LastKnownConcurrency concurrency = concurrency(true);
		assertThat(concurrency.apply("acme")).contains(3);
		this.plans.remove("acme");
		assertThat(concurrency.apply("acme")).contains(3);
		assertThat(concurrency.apply("unknown")).isEmpty();
		this.plans.put("acme", 0);
		assertThat(concurrency.apply("acme")).as("no limit any more").isEmpty();
		this.plans.remove("acme");
		assertThat(concurrency.apply("acme")).isEmpty();
	}

	@Test
	void nobodyIsAskedWhereJobsBelongToNobody() {
		assertThat(concurrency(false).apply("acme")).isEmpty();
	}

}
