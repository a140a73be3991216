package io.ojs.jdbc.internal.stats;

import java.sql.PreparedStatement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import io.ojs.internal.engine.Times;
import io.ojs.internal.stats.JobGroup;
import io.ojs.internal.stats.MinuteRow;
import io.ojs.internal.stats.MinuteStore;
import io.ojs.internal.stats.Numbers;
import io.ojs.jdbc.internal.Dialect;
import io.ojs.jdbc.internal.SqlTimes;
import io.ojs.jdbc.internal.StoreDatabase;

/**
 * Keeps the numbers of all processes in the table {@code ojs_minute}.
 */
public final class JdbcMinuteStore implements MinuteStore {

	private static final String KEY = "step_seconds, began_at, process, queue, type, tenant";

	private static final String COUNTS = Arrays.stream(Numbers.Outcome.values())
		.map(JdbcMinuteStore::column)
		.collect(Collectors.joining(", "));

	private static final String VALUES = "(" + KEY + ", " + COUNTS + ", run_times, wait_times)";

	private static final String PARAMETERS = " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

	private static final String ON_POSTGRESQL = "insert into ojs_minute " + VALUES + PARAMETERS + " on conflict (" + KEY
			+ ") do update set (" + COUNTS + ", run_times, wait_times) = row (excluded."
			+ COUNTS.replace(", ", ", excluded.") + ", excluded.run_times, excluded.wait_times)";

	private static final String ON_H2 = "merge into ojs_minute " + VALUES + " key (" + KEY + ")" + PARAMETERS;

	private static final int ROWS_IN_MEMORY = 1000;

	private static final String OLD = "step_seconds = ? and began_at < ?";

	private final StoreDatabase database;

	public JdbcMinuteStore(StoreDatabase database) {
		this.database = database;
	}

	private static String column(Numbers.Outcome outcome) {
		return outcome.name().toLowerCase(Locale.ROOT);
	}

	@Override
	public void write(String process, List<MinuteRow> rows) {
		String sql = (this.database.dialect() == Dialect.POSTGRESQL) ? ON_POSTGRESQL : ON_H2;
		this.database.writeAlone("write the numbers of this process", () -> this.database.jdbc()
			.batchUpdate(sql, rows.stream().map((row) -> parameters(process, row)).toList()));
	}

	private static Object[] parameters(String process, MinuteRow row) {
		JobGroup group = row.group();
		List<Object> parameters = new ArrayList<>(
				List.of(row.stepSeconds(), Times.utc(row.at()), process, group.queue(), group.type(), group.tenant()));
		for (Numbers.Outcome outcome : Numbers.Outcome.values()) {
			parameters.add(row.numbers().count(outcome));
		}
		parameters.add(row.numbers().runs().text());
		parameters.add(row.numbers().waits().text());
		return parameters.toArray();
	}

	@Override
	public void read(Query query, Consumer<MinuteRow> read) {
		StringBuilder sql = new StringBuilder("select * from ojs_minute where step_seconds = ? and began_at >= ?");
		List<Object> parameters = new ArrayList<>(List.of(query.stepSeconds(), Times.utc(query.since())));
		if (query.queue() != null) {
			sql.append(" and queue = ?");
			parameters.add(query.queue());
		}
		if (query.type() != null) {
			sql.append(" and type = ?");
			parameters.add(query.type());
		}
		if (query.tenant() != null) {
			sql.append(" and tenant = ?");
			parameters.add(query.tenant());
		}
		// In a transaction, or else PostgreSQL's driver keeps all rows in memory.
		this.database.writeAlone("read the numbers of minutes", () -> {
			this.database.jdbc().query((connection) -> {
				PreparedStatement statement = connection.prepareStatement(sql.toString());
				statement.setFetchSize(ROWS_IN_MEMORY);
				for (int i = 0; i < parameters.size(); i++) {
					statement.setObject(i + 1, parameters.get(i));
				}
				return statement;
			}, (row) -> {
				Numbers numbers = new Numbers();
				for (Numbers.Outcome outcome : Numbers.Outcome.values()) {
					numbers.add(outcome, row.getLong(column(outcome)));
				}
				numbers.runs().add(row.getString("run_times"));
				numbers.waits().add(row.getString("wait_times"));
				read.accept(new MinuteRow(row.getInt("step_seconds"), SqlTimes.instant(row, "began_at"),
						new JobGroup(row.getString("queue"), row.getString("type"), row.getString("tenant")), numbers));
			});
			return null;
		});
	}

	@Override
	public int prune(Instant before, Instant minutesBefore, int limit) {
		return this.database.write("delete old numbers of minutes", () -> {
			int deleted = 0;
			for (int step : STEPS) {
				Instant end = (step == STEPS.get(0) && minutesBefore.isAfter(before)) ? minutesBefore : before;
				deleted += this.database.jdbc()
					.update("delete from ojs_minute where " + OLD + " and (" + KEY + ") in (select " + KEY
							+ " from ojs_minute where " + OLD + " order by began_at limit ?)", step, Times.utc(end),
							step, Times.utc(end), limit - deleted);
			}
			return deleted;
		});
	}

}
