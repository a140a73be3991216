package io.ojs.jdbc.internal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.ojs.internal.engine.FeedEvent;
import io.ojs.internal.engine.JobRow;
import org.jspecify.annotations.Nullable;

/**
 * Inserts jobs and their events with one statement of PostgreSQL.
 */
final class ToldInsert {

	private static final String UNLESS_THERE = " on conflict (id) do nothing";

	/** The most events of one job. */
	private static final int MOST_OF_ONE = 2;

	private static final String UNIQUE_VIOLATION = "23505";

	/** Inserts one job. To be filled in: what writes labels. */
	private static final String ONE = "with changed as (insert into " + JobRows.TABLE + " ("
			+ Column.names(JobColumn.EVERY) + ") values (" + Sql.join(JobColumn.EVERY, "?", ", ") + ")" + UNLESS_THERE
			+ " returning id), told as (" + EventLog.TELL + ")%s select id from changed";

	/** Writes the labels of the jobs that were inserted. */
	private static final String LABELLED = ", labelled as (insert into " + JobRows.LABELS
			+ " (label, job_id) select l.label, l.job_id from unnest(?::text[], ?::uuid[]) as l (label, job_id) "
			+ "join changed c on c.id = l.job_id)";

	/**
	 * Inserts many jobs. To be filled in: values, columns, expressions, what to do if an
	 * id is taken, what writes labels.
	 */
	private static final String MANY = "with v as (select * from %s as a), changed as (insert into " + JobRows.TABLE
			+ " (%s) select %s from v%s returning id, tenant), told as (insert into " + EventLog.TABLE
			+ " (source, occurred_at, tenant, events) select ?::text, ?::timestamptz, c.tenant, "
			+ "'[' || string_agg(v.event, ',' order by v.place) || ']' from v join changed c on c.id = v.id "
			+ "where v.event is not null group by c.tenant, v.place / " + EventLog.MOST / MOST_OF_ONE
			+ " order by min(v.place))%s select id from changed";

	private static final List<Column> EVENT = List.of(Column.integer("place"), Column.text("event"));

	private static final List<Column> COMMON_EVENT = List.of(Column.text("source"), Column.time("occurred_at"));

	private static final List<Column> WITHOUT_KEY = JobColumn.EVERY.subList(JobColumn.KEY.size(),
			JobColumn.EVERY.size());

	private final List<Told> jobs;

	private ToldInsert(List<Told> jobs) {
		this.jobs = jobs;
	}

	/**
	 * Prepares an insert.
	 * @param events the events of the jobs, all of the same time
	 */
	static ToldInsert of(Collection<JobRow> rows, List<FeedEvent> events, EventLog log) {
		Map<String, List<FeedEvent>> byJob = events.stream().collect(Collectors.groupingBy(FeedEvent::subject));
		List<Told> jobs = new ArrayList<>(rows.size());
		for (JobRow row : rows) {
			List<FeedEvent> ofJob = Objects.requireNonNullElse(byJob.remove(row.id.toString()), List.of());
			if (ofJob.size() > MOST_OF_ONE) {
				throw new IllegalStateException(
						"Job %s has too many events for one insert: %s".formatted(row.id, ofJob));
			}
			jobs.add(new Told(row, jobs.size(), ofJob.isEmpty() ? null : log.told(ofJob)));
		}
		if (!byJob.isEmpty()) {
			throw new IllegalStateException("There are events of jobs that are not inserted: " + byJob.keySet());
		}
		return new ToldInsert(jobs);
	}

	/** Inserts the jobs whose id is not taken. */
	Set<UUID> free(Connection connection) throws SQLException {
		return isOne() ? one(connection) : many(connection, UNLESS_THERE);
	}

	/**
	 * Inserts all jobs, or none if the id of one is taken. The connection must not be in
	 * a transaction.
	 * @return whether the jobs were inserted
	 */
	boolean all(Connection connection) throws SQLException {
		if (isOne()) {
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

	private boolean isOne() {
		return this.jobs.size() == 1 && this.jobs.get(0).event() != null;
	}

	private Set<UUID> one(Connection connection) throws SQLException {
		Told job = this.jobs.get(0);
		try (PreparedStatement statement = connection.prepareStatement(ONE.formatted(labelled()))) {
			int index = Column.set(statement, 0, JobColumn.EVERY, JobColumn.values(job.row()));
			index = Column.set(statement, index, EventLog.COLUMNS, Objects.requireNonNull(job.event()));
			setLabels(statement, index);
			try (ResultSet inserted = statement.executeQuery()) {
				return inserted.next() ? Set.of(job.row().id) : Set.of();
			}
		}
	}

	private Set<UUID> many(Connection connection, String ifTaken) throws SQLException {
		// In the order of the ids, so that two statements cannot deadlock.
		List<Told> ordered = this.jobs.stream().sorted(Comparator.comparing((job) -> job.row().id)).toList();
		RowArrays arrays = new RowArrays(Sql.concat(JobColumn.KEY, EVENT), WITHOUT_KEY, ordered);
		List<Column> different = Sql.concat(JobColumn.KEY,
				arrays.arrays().stream().filter(WITHOUT_KEY::contains).toList());
		String values = Stream
			.concat(arrays.common().stream().map((column) -> "?::" + column.type()),
					different.stream().map((column) -> "v." + column.name()))
			.collect(Collectors.joining(", "));
		String sql = MANY.formatted(arrays.table(), Column.names(Sql.concat(arrays.common(), different)), values,
				ifTaken, labelled());
		try (PreparedStatement statement = connection.prepareStatement(sql)) {
			int index = arrays.setCommon(statement, arrays.setArrays(statement, 0));
			index = Column.set(statement, index, COMMON_EVENT, common());
			setLabels(statement, index);
			Set<UUID> inserted = new HashSet<>();
			try (ResultSet rows = statement.executeQuery()) {
				while (rows.next()) {
					inserted.add(rows.getObject(1, UUID.class));
				}
			}
			return inserted;
		}
	}

	private String labelled() {
		return this.jobs.stream().allMatch((job) -> job.row().labels.isEmpty()) ? "" : LABELLED;
	}

	private void setLabels(PreparedStatement statement, int after) throws SQLException {
		if (labelled().isEmpty()) {
			return;
		}
		List<String> labels = new ArrayList<>();
		List<UUID> ids = new ArrayList<>();
		for (Told job : this.jobs) {
			labels.addAll(job.row().labels);
			ids.addAll(Collections.nCopies(job.row().labels.size(), job.row().id));
		}
		Connection connection = statement.getConnection();
		statement.setArray(after + 1, connection.createArrayOf("text", labels.toArray()));
		statement.setArray(after + 2, connection.createArrayOf("uuid", ids.toArray()));
	}

	/** The values that all events share; none if there are no events. */
	private Dialect.Row common() {
		return this.jobs.stream()
			.map(Told::event)
			.filter(Objects::nonNull).<Dialect.Row>map((event) -> event).findFirst().orElse((column) -> null);
	}

	/**
	 * A job and its events.
	 *
	 * @param place the order of its events among those of all jobs
	 * @param event the events; {@code null} if there are none
	 */
	private record Told(JobRow row, int place, EventLog.@Nullable Told event) implements Dialect.Row {

		@Override
		public @Nullable Object value(String column) {
			return switch (column) {
				case "place" -> this.place;
				case "event" -> (this.event != null) ? this.event.events() : null;
				default -> JobColumn.value(this.row, column);
			};
		}

	}

}
