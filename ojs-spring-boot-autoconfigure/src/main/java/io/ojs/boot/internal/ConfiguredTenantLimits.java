package io.ojs.boot.internal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

import io.ojs.boot.InvalidConfigurationException;
import io.ojs.boot.TenancyProperties;
import io.ojs.boot.TenancyProperties.TenantProperties;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Rate;
import io.ojs.tenant.TenantLimitSource;
import io.ojs.tenant.TenantLimits;
import io.ojs.tenant.Tenants;
import io.ojs.tenant.internal.ThreadTenants;
import org.jspecify.annotations.Nullable;

/**
 * The limits of tenants that {@code ojs.tenancy} sets.
 */
public final class ConfiguredTenantLimits implements TenantLimitSource {

	private static final String DEFAULTS = "ojs.tenancy.limits";

	private static final Pattern PLAIN = Pattern.compile("[a-z0-9-]+");

	private final TenantLimits defaults;

	private final Map<String, TenantLimits> ofTenants = new LinkedHashMap<>();

	public ConfiguredTenantLimits(TenancyProperties tenancy) {
		this.defaults = limits(tenancy.limits());
		tenancy.tenants().forEach((id, limits) -> this.ofTenants.put(id, limits(limits).over(this.defaults)));
	}

	@Override
	public TenantLimits of(String tenant) {
		return this.ofTenants.getOrDefault(tenant, this.defaults);
	}

	/**
	 * Checks the limits.
	 * @throws InvalidConfigurationException if a limit is invalid, or if limits are set
	 * and tenants are disabled
	 */
	public static void check(TenancyProperties tenancy) {
		check(DEFAULTS, tenancy.limits());
		tenancy.tenants().forEach((id, limits) -> {
			if (!Tenants.isValid(id)) {
				throw new InvalidConfigurationException(key(id), id, "the id of a tenant " + ThreadTenants.RULE,
						"Write the id as jobs have it in meta.tenant_id.");
			}
			check(key(id), limits);
		});
		Map<String, Object> said = values(tenancy);
		if (!tenancy.enabled() && !said.isEmpty()) {
			Map.Entry<String, Object> first = said.entrySet().iterator().next();
			throw new InvalidConfigurationException(first.getKey(), first.getValue(), "there are no tenants",
					"Set ojs.tenancy.enabled=true, or remove it.");
		}
	}

	/** The limits that are set. */
	public static Map<String, Object> values(TenancyProperties tenancy) {
		Map<String, Object> values = new LinkedHashMap<>();
		values.putAll(values(DEFAULTS, tenancy.limits()));
		tenancy.tenants().forEach((id, limits) -> values.putAll(values(key(id), limits)));
		return values;
	}

	private static Map<String, Object> values(String key, TenantProperties limits) {
		Map<String, @Nullable Object> all = new LinkedHashMap<>();
		all.put("max-concurrency", limits.maxConcurrency());
		all.put("max-enqueue-rate.limit", limits.maxEnqueueRate().limit());
		all.put("max-enqueue-rate.period", limits.maxEnqueueRate().period());
		all.put("max-queue-depth", limits.maxQueueDepth());
		all.put("max-scheduled", limits.maxScheduled());
		Map<String, Object> values = new LinkedHashMap<>();
		all.forEach((name, value) -> {
			if (value != null) {
				values.put(key + "." + name, value);
			}
		});
		return values;
	}

	private static void check(String key, TenantProperties limits) {
		notNegative(key + ".max-concurrency", limits.maxConcurrency());
		notNegative(key + ".max-queue-depth", limits.maxQueueDepth());
		notNegative(key + ".max-scheduled", limits.maxScheduled());
		String rate = key + ".max-enqueue-rate";
		Long limit = limits.maxEnqueueRate().limit();
		if ((limit == null) != (limits.maxEnqueueRate().period() == null)) {
			throw new InvalidConfigurationException(rate + ((limit != null) ? ".period" : ".limit"), null,
					"a rate is a limit and a period", "Say both, such as limit=1000 and period=1m, or neither.");
		}
		try {
			if (limit != null) {
				new Rate(limit, Objects.requireNonNull(limits.maxEnqueueRate().period())).check(rate);
			}
		}
		catch (InvalidJobException ex) {
			throw new InvalidConfigurationException(ex.field(),
					ex.field().endsWith(".limit") ? limit : limits.maxEnqueueRate().period(),
					"must be from 1 to 1000000000 in a period from a millisecond to 366 days",
					"Choose values in these ranges, or leave both out.");
		}
	}

	private static void notNegative(String key, @Nullable Number value) {
		if (value != null && value.longValue() < 0) {
			throw new InvalidConfigurationException(key, value, "must not be negative",
					"Set it to 0 or more, or leave it out to have no limit.");
		}
	}

	private static String key(String tenant) {
		return "ojs.tenancy.tenants" + (PLAIN.matcher(tenant).matches() ? "." + tenant : "[" + tenant + "]");
	}

	private static TenantLimits limits(TenancyProperties.TenantProperties tenant) {
		return new TenantLimits(tenant.maxConcurrency(), rate(tenant.maxEnqueueRate()), tenant.maxQueueDepth(),
				tenant.maxScheduled());
	}

	private static @Nullable Rate rate(TenancyProperties.RateProperties rate) {
		return (rate.limit() != null && rate.period() != null) ? new Rate(rate.limit(), rate.period()) : null;
	}

}
