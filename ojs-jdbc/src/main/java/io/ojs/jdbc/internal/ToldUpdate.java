package io.ojs.jdbc.internal;

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
 * Updates jobs that meet a condition and that no other transaction has locked, and
 * appends the events of those that it has updated, with one statement of PostgreSQL.
 *
 * @param columns the columns to set
 * @param also further assignments in terms of {@code t} and {@code v}, each after a
 * comma; may be empty
 * @param expected values of the given rows, beside their ids, that the condition uses
 * @param condition the condition that jobs have to meet, in terms of {@code t} and
 * {@code v}
 * @param returned the columns to return
 */
public record ToldUpdate(List<Column> columns, String also, List<Column> expected, String condition, String returned) {

	/**
	 * Selects a row unless another transaction has locked it: all other rows of the
	 * statement would wait for it.
	 */
	public static final String FREE = "(select l.id from " + JobRows.TABLE
			+ " l where l.id = %s limit 1 for update skip locked)";

	private static final List<Column> EVENT = List.of(Column.text("event"));

	private static final List<Column> COMMON = List.of(Column.text("source"), Column.time("occurred_at"));

	private static final String TELL = "insert into " + EventLog.TABLE + " (source, occurred_at, events) "
			+ "select ?::text, ?::timestamptz, '[' || string_agg(event, ',') || ']' from (select event, "
			+ "(row_number() over () - 1) / " + EventLog.MOST
			+ " as part from changed where event is not null) c group by part";

	/**
	 * Executes the update.
	 * @param rows the new values and the events of the jobs, which have no tenant
	 * @return one element for each job that has changed
	 */
	public <T> List<T> execute(Connection connection, Collection<? extends Row> rows, RowMapper<T> mapper)
			throws SQLException {
		// In the order of the ids, so that two statements cannot deadlock.
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

	/** Adds the events of a row to its values. */
	private static Dialect.Row withEvent(Row row) {
		return (column) -> column.equals("event") ? row.event().events() : row.value(column);
	}

	private List<Column> key() {
		return Sql.concat(Sql.concat(JobColumn.KEY, this.expected), EVENT);
	}

	/**
	 * The new values of a job, and its events.
	 */
	public interface Row extends Dialect.Row {

		/** The events of the job, of the same time as those of all jobs. */
		EventLog.Told event();

	}

}
