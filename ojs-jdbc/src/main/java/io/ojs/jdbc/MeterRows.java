package io.ojs.jdbc;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.ojs.rate.RateMeter;

/**
 * Reads what keys have let through. Exact only for who has locked them.
 */
final class MeterRows {

	/** Which jobs have places of their limits. */
	static final String HOLDING = "(state = 'active' or (state = 'available' and rate_granted))";

	private final StoreDatabase database;

	MeterRows(StoreDatabase database) {
		this.database = database;
	}

	/** The meters of keys; of one that nobody has asked, an empty one. */
	Map<String, RateMeter> read(Collection<String> keys) {
		Map<String, Long> running = new HashMap<>();
		count(running, "",
				"select rate_key, count(*) from ojs_job where rate_key = any(?) and " + HOLDING + " group by rate_key",
				keys.stream().filter((key) -> !key.startsWith(JobLimits.TENANT)).toList());
		count(running, JobLimits.TENANT,
				"select tenant, count(*) from ojs_job where tenant is not null and tenant = any(?) and " + HOLDING
						+ " group by tenant",
				keys.stream()
					.filter((key) -> key.startsWith(JobLimits.TENANT))
					.map((key) -> key.substring(JobLimits.TENANT.length()))
					.toList());
		Map<String, RateMeter> meters = new HashMap<>();
		keys.forEach((key) -> meters.put(key, new RateMeter(key, running.getOrDefault(key, 0L))));
		this.database.jdbc()
			.query("select rate_key, meter from ojs_rate_limit where rate_key = any(?)", Dialect.texts(keys), (row) -> {
				String key = row.getString("rate_key");
				meters.put(key, MeterText.read(this.database.jobs().json(), key, running.getOrDefault(key, 0L),
						row.getString("meter")));
			});
		return meters;
	}

	private void count(Map<String, Long> counts, String prefix, String sql, List<String> values) {
		if (!values.isEmpty()) {
			this.database.jdbc().query(sql, Dialect.texts(values), (row) -> {
				counts.put(prefix + row.getString(1), row.getLong(2));
			});
		}
	}

}
