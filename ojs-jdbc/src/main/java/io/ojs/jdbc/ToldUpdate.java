package io.ojs.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.RowMapperResultSetExtractor;

/**
 * Changes many jobs if they meet a condition and no other transaction has locked them,
 * and tells of those that do, with one statement of PostgreSQL.
 *
 * @param columns what changes
 * @param also what changes too, in terms of {@code t} and {@code v}, behind a comma; may
 * be empty
 * @param expected what rows have beside their ids to be compared with
 * @param condition what jobs have to meet, in terms of {@code t} and {@code v}
 * @param returned the columns that are wanted
 */
record ToldUpdate(List<Column> columns, String also, List<Column> expected, String condition, String returned) {

	/** A row, unless another transaction has locked it: all others would wait for it. */
	static final String FREE = "(select l.id from " + JobRows.TABLE
			+ " l where l.id = %s limit 1 for update skip locked)";

	private static final List<Column> EVENT = List.of(Column.text("event"));

	private static final List<Column> COMMON = List.of(Column.text("source"), Column.time("occurred_at"));

	private static final String TELL = "insert into " + EventLog.TABLE + " (source, occurred_at, events) "
			+ "select ?::text, ?::timestamptz, '[' || string_agg(event, ',') || ']' from (select event, "
			+ "(row_number() over () - 1) / " + EventLog.MOST
			+ " as part from changed where event is not null) c group by part";

	/**
	 * Does it.
	 * @param connection executes it
	 * @param rows what becomes of which jobs, which are of no tenant
	 * @param mapper reads what is wanted
	 * @return of the jobs that have changed
	 */
	<T> List<T> execute(Connection connection, Collection<? extends Row> rows, RowMapper<T> mapper)
			throws SQLException {
		// In one order, so that nobody waits for somebody who waits for them.
		List<Dialect.Row> ordered = rows.stream()
			.sorted(Comparator.comparing((row) -> String.valueOf(row.value("id"))))
			.map(ToldUpdate::withEvent)
			.toList();
		RowArrays arrays = new RowArrays(key(), this.columns, ordered);
		String sql = "with changed as (update %s t set %s from %s as v cross join lateral " + FREE.formatted("v.id")
				+ " as f where t.id = f.id and %s " + "returning %s, v.event), told as (%s) select %s from changed";
		String text = sql.formatted(JobRows.TABLE, arrays.assignments() + this.also, arrays.keys(), this.condition,
				Arrays.stream(this.returned.split(", "))
					.map((column) -> "t." + column)
					.collect(Collectors.joining(", ")),
				TELL, this.returned);
		try (PreparedStatement statement = connection.prepareStatement(text)) {
			Column.set(statement, arrays.set(statement), COMMON, rows.iterator().next().event());
			try (ResultSet changed = statement.executeQuery()) {
				return new RowMapperResultSetExtractor<>(mapper).extractData(changed);
			}
		}
	}

	/** With what is told of each by itself. */
	private static Dialect.Row withEvent(Row row) {
		return (column) -> column.equals("event") ? row.event().events() : row.value(column);
	}

	private List<Column> key() {
		return Sql.concat(Sql.concat(JobColumn.KEY, this.expected), EVENT);
	}

	/**
	 * What becomes of a job, and what is told of it.
	 */
	interface Row extends Dialect.Row {

		/** What is told, at the same time of all. */
		EventLog.Told event();

	}

}
