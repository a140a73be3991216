package io.ojs.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Inserts jobs and tells of each of them, with one statement of PostgreSQL.
 */
final class ToldInsert {

	private static final String UNLESS_THERE = " on conflict (id) do nothing";

	private static final String UNIQUE_VIOLATION = "23505";

	/** One job. */
	private static final String ONE = "with changed as (insert into " + JobRows.TABLE + " ("
			+ Column.names(JobRow.EVERY) + ") values (" + Sql.join(JobRow.EVERY, "?", ", ") + ")" + UNLESS_THERE
			+ " returning id) " + EventLog.TELL;

	/** Many jobs: values, columns, expressions, what to do if an id is taken. */
	private static final String MANY = "with v as (select * from %s as a), changed as (insert into " + JobRows.TABLE
			+ " (%s) select %s from v%s returning id, queue, tenant), told as (insert into " + EventLog.TABLE
			+ " (type, source, occurred_at, id, subject, queue, tenant, data) "
			+ "select ?::text, ?::text, ?::timestamptz, v.event_id, c.id::text, c.queue, c.tenant, v.event_data "
			// In the order in which they were told.
			+ "from v join changed c on c.id = v.id order by v.event_id) select id from changed";

	private static final List<Column> EVENT = List.of(Column.text("event_id"), Column.text("event_data"));

	private static final List<Column> COMMON_EVENT = List.of(Column.text("type"), Column.text("source"),
			Column.time("occurred_at"));

	private static final List<Column> WITHOUT_KEY = JobRow.EVERY.subList(JobRow.KEY.size(), JobRow.EVERY.size());

	private final List<Told> jobs;

	private ToldInsert(List<Told> jobs) {
		this.jobs = jobs;
	}

	/**
	 * Prepares to insert jobs.
	 * @param rows the jobs
	 * @param events what is told of them, in the same order
	 * @param log makes rows of that
	 * @return what inserts them; empty unless one event is told of each, and all have one
	 * type
	 */
	static Optional<ToldInsert> of(List<JobRow> rows, List<Event> events, EventLog log) {
		if (rows.isEmpty() || rows.size() != events.size()) {
			return Optional.empty();
		}
		List<Told> jobs = new ArrayList<>(rows.size());
		for (int i = 0; i < rows.size(); i++) {
			Event event = events.get(i);
			if (!event.subject().equals(rows.get(i).id.toString()) || !event.type().equals(events.get(0).type())) {
				return Optional.empty();
			}
			jobs.add(new Told(rows.get(i), log.row(event)));
		}
		return Optional.of(new ToldInsert(jobs));
	}

	/**
	 * Inserts those whose id is not taken.
	 * @return the ids of these
	 */
	Set<UUID> free(Connection connection) throws SQLException {
		return (this.jobs.size() > 1) ? many(connection, UNLESS_THERE) : one(connection);
	}

	/**
	 * Inserts all, or none if the id of one is taken. The connection has no transaction.
	 * @return whether they were inserted
	 */
	boolean all(Connection connection) throws SQLException {
		if (this.jobs.size() == 1) {
			return !one(connection).isEmpty();
		}
		try {
			many(connection, "");
			return true;
		}
		catch (SQLException ex) {
			if (UNIQUE_VIOLATION.equals(ex.getSQLState())) {
				return false;
			}
			throw ex;
		}
	}

	private Set<UUID> one(Connection connection) throws SQLException {
		Told job = this.jobs.get(0);
		try (PreparedStatement statement = connection.prepareStatement(ONE)) {
			int index = Column.set(statement, 0, JobRow.EVERY, job.row());
			Column.set(statement, index, EventLog.COLUMNS, job.event());
			return (statement.executeUpdate() == 1) ? Set.of(job.row().id) : Set.of();
		}
	}

	private Set<UUID> many(Connection connection, String ifTaken) throws SQLException {
		// In one order, so that nobody waits for somebody who waits for them.
		List<Told> ordered = this.jobs.stream().sorted(Comparator.comparing((job) -> job.row().id)).toList();
		RowArrays arrays = new RowArrays(Sql.concat(JobRow.KEY, EVENT), WITHOUT_KEY, ordered);
		List<Column> different = Sql.concat(JobRow.KEY,
				arrays.arrays().stream().filter(WITHOUT_KEY::contains).toList());
		String values = Stream
			.concat(arrays.common().stream().map((column) -> "?::" + column.type()),
					different.stream().map((column) -> "v." + column.name()))
			.collect(Collectors.joining(", "));
		String sql = MANY.formatted(arrays.table(), Column.names(Sql.concat(arrays.common(), different)), values,
				ifTaken);
		try (PreparedStatement statement = connection.prepareStatement(sql)) {
			int index = arrays.setCommon(statement, arrays.setArrays(statement, 0));
			Column.set(statement, index, COMMON_EVENT, this.jobs.get(0).event());
			Set<UUID> inserted = new HashSet<>();
			try (ResultSet rows = statement.executeQuery()) {
				while (rows.next()) {
					inserted.add(rows.getObject(1, UUID.class));
				}
			}
			return inserted;
		}
	}

	/**
	 * A job, and what is told of it.
	 *
	 * @param row the job
	 * @param event what is told
	 */
	private record Told(JobRow row, Dialect.Row event) implements Dialect.Row {

		@Override
		public @Nullable Object value(String column) {
			return switch (column) {
				case "event_id" -> this.event.value("id");
				case "event_data" -> this.event.value("data");
				default -> this.row.value(column);
			};
		}

	}

}
