package io.ojs.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
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
 * @param expected what rows have beside their ids to be compared with
 * @param condition what jobs have to meet, in terms of {@code t} and {@code v}
 * @param returned the columns that are wanted
 */
record ToldUpdate(List<Column> columns, List<Column> expected, String condition, String returned) {

	/** A row, unless another transaction has locked it: all others would wait for it. */
	static final String FREE = "(select l.id from " + JobRows.TABLE
			+ " l where l.id = %s limit 1 for update skip locked)";

	private static final List<Column> EVENT = List.of(Column.text("event_id"), Column.text("event_data"));

	private static final String TELL = "insert into " + EventLog.TABLE + " (type, source, occurred_at, id, subject, "
			+ "queue, data) select ?::text, ?::text, ?::timestamptz, event_id, id::text, queue, event_data from changed";

	/**
	 * Does it.
	 * @param connection executes it
	 * @param rows what becomes of which jobs; what is told of them has one type and time
	 * @param mapper reads what is wanted
	 * @return of the jobs that have changed
	 */
	<T> List<T> execute(Connection connection, List<? extends Row> rows, RowMapper<T> mapper) throws SQLException {
		// In one order, so that nobody waits for somebody who waits for them.
		List<Dialect.Row> ordered = rows.stream()
			.sorted(Comparator.comparing((row) -> String.valueOf(row.value("id"))))
			.map(ToldUpdate::withEvent)
			.toList();
		RowArrays arrays = new RowArrays(key(), this.columns, ordered);
		String sql = "with changed as (update %s t set %s from %s as v cross join lateral " + FREE.formatted("v.id")
				+ " as f where t.id = f.id and %s "
				+ "returning %s, v.event_id, v.event_data), told as (%s) select %s from changed";
		String text = sql.formatted(JobRows.TABLE, arrays.assignments(), arrays.keys(), this.condition,
				Arrays.stream(this.returned.split(", "))
					.map((column) -> "t." + column)
					.collect(Collectors.joining(", ")),
				TELL, this.returned);
		Dialect.Row event = rows.get(0).event();
		try (PreparedStatement statement = connection.prepareStatement(text)) {
			int index = arrays.set(statement);
			Column.text("type").set(statement, ++index, event.value("type"));
			Column.text("source").set(statement, ++index, event.value("source"));
			Column.time("occurred_at").set(statement, ++index, event.value("occurred_at"));
			try (ResultSet changed = statement.executeQuery()) {
				return new RowMapperResultSetExtractor<>(mapper).extractData(changed);
			}
		}
	}

	/** With what is told of each by itself. */
	private static Dialect.Row withEvent(Row row) {
		return (column) -> switch (column) {
			case "event_id" -> row.event().value("id");
			case "event_data" -> row.event().value("data");
			default -> row.value(column);
		};
	}

	private List<Column> key() {
		return Sql.concat(Sql.concat(JobRow.KEY, this.expected), EVENT);
	}

	/**
	 * What becomes of a job, and what is told of it.
	 */
	interface Row extends Dialect.Row {

		/** What is told. */
		Dialect.Row event();

	}

}
