package io.ojs.jdbc.internal.limit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.ojs.internal.engine.JsonText;
import io.ojs.internal.json.RateLimitJson;
import io.ojs.internal.rate.RateMeter;
import io.ojs.jdbc.internal.Column;
import io.ojs.jdbc.internal.Dialect;
import io.ojs.jdbc.internal.StartLimits;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.job.RateLimit;

/**
 * Reads and writes the meters of keys. They are exact only for a transaction that has
 * locked the keys.
 */
final class MeterRows {

	static final String TABLE = "ojs_rate_limit";

	private static final List<Column> KEY = List.of(Column.text("rate_key"));

	private static final List<Column> METER = List.of(Column.text("policy"), Column.text("meter"),
			Column.time("counts_until"));

	private final StoreDatabase database;

	MeterRows(StoreDatabase database) {
		this.database = database;
	}

	/**
	 * Reads the meters of keys. The meter of a key that was never asked has no starts.
	 */
	Map<String, RateMeter> read(Collection<String> keys) {
		Map<String, Long> running = new HashMap<>();
		count(running, "",
				"select rate_key, count(*) from ojs_job where rate_key = any(?) and has_places and ended_at is null "
						+ "group by rate_key",
				keys.stream().filter((key) -> !key.startsWith(StartLimits.TENANT)).toList());
		count(running, StartLimits.TENANT,
				"select tenant, count(*) from ojs_job where has_places and tenant = any(?) group by tenant",
				keys.stream()
					.filter((key) -> key.startsWith(StartLimits.TENANT))
					.map((key) -> key.substring(StartLimits.TENANT.length()))
					.toList());
		Map<String, RateMeter> meters = new HashMap<>();
		keys.forEach((key) -> meters.put(key, new RateMeter(key, running.getOrDefault(key, 0L))));
		this.database.jdbc()
			.query("select rate_key, meter from ojs_rate_limit where rate_key = any(?)", Dialect.texts(keys), (row) -> {
				String key = row.getString("rate_key");
				meters.put(key, MeterText.read(this.database.codec().json(), key, running.getOrDefault(key, 0L),
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

	/**
	 * Writes meters.
	 * @param counted the keys to write, each with a limit under which it was counted
	 * @param meters the meters of these keys, and of others
	 */
	void write(Map<String, RateLimit> counted, Map<String, RateMeter> meters, Instant now) {
		if (!counted.isEmpty()) {
			List<Dialect.Row> rows = new ArrayList<>();
			counted.forEach((key, limit) -> rows.add(row(key, limit, Objects.requireNonNull(meters.get(key)), now)));
			this.database.dialect().update(this.database.jdbc(), TABLE, KEY, METER, rows);
		}
	}

	private Dialect.Row row(String key, RateLimit limit, RateMeter meter, Instant now) {
		JsonText json = this.database.codec().json();
		String kept = MeterText.write(json, meter);
		Instant until = meter.until(now);
		String policy = json.write(RateLimitJson.write(limit));
		return (column) -> switch (column) {
			case "rate_key" -> key;
			case "policy" -> policy;
			case "meter" -> kept;
			// The counts matter until then, and the row must not be deleted before.
			case "counts_until" -> until;
			default -> throw new IllegalArgumentException("No column " + column + ".");
		};
	}

}
