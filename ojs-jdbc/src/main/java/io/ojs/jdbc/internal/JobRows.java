package io.ojs.jdbc.internal;

import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

import io.ojs.internal.engine.JobRow;
import io.ojs.internal.engine.Times;
import io.ojs.job.JobState;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.RowMapper;

/**
 * Reads and writes rows of {@code ojs_job}.
 */
public final class JobRows {

	/** Name of the table. */
	public static final String TABLE = "ojs_job";

	/** Name of the table with labels. */
	static final String LABELS = "ojs_job_label";

	/** Reads {@link JobColumn#NAMES}. */
	public static final RowMapper<JobRow> WITHOUT_CONTENT = (row, index) -> JobColumn.read(row);

	/** Reads {@link JobColumn#ALL_NAMES}. */
	public static final RowMapper<JobRow> ALL = (row, index) -> JobColumn.readAll(row);

	private final StoreDatabase database;

	public JobRows(StoreDatabase database) {
		this.database = database;
	}

	/**
	 * Returns points in time by the ids of rows, as the database keeps them. Leaves out
	 * what cannot be the id of a job.
	 */
	public static Map<UUID, Instant> times(Map<String, Instant> jobs) {
		Map<UUID, Instant> times = new HashMap<>();
		jobs.forEach((jobId, time) -> JobRow.id(jobId).ifPresent((id) -> times.put(id, Times.micros(time))));
		return times;
	}

	/**
	 * Returns a condition that the state is one of the parameter {@code states}. If all
	 * of them are unfinished, it names the condition of the partial indexes.
	 */
	public static String in(Collection<JobState> states) {
		boolean ended = states.stream().anyMatch(JobState::isTerminal);
		boolean unfinished = states.stream().anyMatch((state) -> !state.isTerminal());
		return " and state in (:states)" + (ended ? "" : " and ended_at is null")
				+ (unfinished ? "" : " and ended_at is not null");
	}

	/** Returns the ids of rows. Leaves out what cannot be the id of a job. */
	public static List<UUID> ids(Collection<String> jobIds) {
		return jobIds.stream().map(JobRow::id).flatMap(Optional::stream).toList();
	}

	/**
	 * Locks jobs until the transaction ends.
	 * @param all whether to read {@link JobColumn#ALL_NAMES}
	 * @return the rows that exist, by their ids
	 */
	public Map<UUID, JobRow> lock(Collection<UUID> ids, boolean all) {
		// In the order of the ids, so that two transactions cannot deadlock.
		String columns = all ? JobColumn.ALL_NAMES : JobColumn.NAMES;
		return query(columns, " for update", ids, all ? ALL : WITHOUT_CONTENT);
	}

	/**
	 * Locks jobs until the transaction ends, and leaves out those that another
	 * transaction has locked.
	 * @param all whether to read {@link JobColumn#ALL_NAMES}
	 * @return the rows that exist and are free, by their ids
	 */
	public Map<UUID, JobRow> lockFree(Collection<UUID> ids, boolean all) {
		return query(all ? JobColumn.ALL_NAMES : JobColumn.NAMES, " for update skip locked", ids,
				all ? ALL : WITHOUT_CONTENT);
	}

	/** Returns which of some jobs exist, locked or not. */
	public Set<UUID> known(Collection<UUID> ids) {
		if (ids.isEmpty()) {
			return Set.of();
		}
		return new HashSet<>(this.database.jdbc()
			.query(this.database.dialect().byIds("id", ""), Dialect.ids(ids),
					(row, index) -> row.getObject("id", UUID.class)));
	}

	/** Reads jobs with all columns, without a lock. */
	public Map<UUID, JobRow> read(Collection<UUID> ids) {
		return query(JobColumn.ALL_NAMES, "", ids, ALL);
	}

	/**
	 * Reads a job with all columns, without a lock; empty if there is none with this id.
	 */
	public Optional<JobRow> find(String jobId) {
		return JobRow.id(jobId).flatMap((id) -> Optional.ofNullable(read(List.of(id)).get(id)));
	}

	private Map<UUID, JobRow> query(String columns, String lock, Collection<UUID> ids, RowMapper<JobRow> mapper) {
		List<JobRow> found = switch (ids.size()) {
			case 0 -> List.of();
			case 1 -> this.database.jdbc().query(Dialect.byId(columns, lock), mapper, ids.iterator().next());
			default ->
				this.database.jdbc().query(this.database.dialect().byIds(columns, lock), Dialect.ids(ids), mapper);
		};
		Map<UUID, JobRow> rows = new HashMap<>();
		found.forEach((row) -> rows.put(row.id, row));
		return rows;
	}

	/**
	 * Writes what transitions have changed, and the events that tell of it. If one row
	 * holds all events, the first update inserts it too, which saves a round trip.
	 */
	public void update(Collection<JobRow> rows, List<EventLog.Told> told) {
		List<EventLog.Told> left = told;
		for (JobRow.Change change : JobRow.Change.values()) {
			List<JobRow> changed = rows.stream().filter((row) -> row.change() == change).toList();
			if (left.size() == 1 && !changed.isEmpty()) {
				this.database.dialect()
					.update(this.database.jdbc(), TABLE, JobColumn.KEY, JobColumn.of(change),
							changed.stream().map(JobColumn::values).toList(), left.get(0));
				left = List.of();
			}
			else {
				update(JobColumn.of(change), changed);
			}
		}
		update(JobColumn.WORKER_WAIT, rows.stream().filter((row) -> row.workerWaitChanged).toList());
		this.database.events().insert(left);
	}

	/** Writes some columns of rows. */
	public void update(List<Column> columns, Collection<JobRow> rows) {
		if (!rows.isEmpty()) {
			this.database.dialect()
				.update(this.database.jdbc(), TABLE, JobColumn.KEY, columns,
						rows.stream().map(JobColumn::values).toList());
		}
	}

	/**
	 * Changes one point in time of many jobs.
	 * @param sql an update whose parameters are the time and the array of ids
	 */
	public int touch(String sql, Instant time, Collection<UUID> ids) {
		if (ids.isEmpty()) {
			return 0;
		}
		return this.database.jdbc().update(sql, (statement) -> {
			statement.setObject(1, Times.utc(time));
			statement.setArray(2, statement.getConnection().createArrayOf("uuid", ids.toArray()));
		});
	}

	/**
	 * Deletes jobs that the caller has locked, their labels, and unique keys that no
	 * other job has.
	 * @param uniqueKeys the unique key of each job, {@code null} without one, by its id
	 */
	public void delete(Map<UUID, @Nullable String> uniqueKeys) {
		if (uniqueKeys.isEmpty()) {
			return;
		}
		new DeletedJobs(this.database).remember(uniqueKeys.keySet());
		this.database.jdbc()
			.update("delete from " + LABELS + " where job_id = any(?)", Dialect.ids(uniqueKeys.keySet()));
		this.database.jdbc().update("delete from ojs_job where id = any(?)", Dialect.ids(uniqueKeys.keySet()));
		TreeSet<String> keys = new TreeSet<>(uniqueKeys.values().stream().filter(Objects::nonNull).toList());
		if (!keys.isEmpty()) {
			// The row of a key serves only as a lock between transactions that insert
			// jobs with the key at the same time. Without such a job nothing depends on
			// it.
			this.database.jdbc()
				.batchUpdate(
						"delete from ojs_unique_key k where k.unique_key = ? "
								+ "and not exists (select 1 from ojs_job j where j.unique_key = k.unique_key)",
						keys.stream().map((key) -> new Object[] { key }).toList());
		}
	}

	/** Writes the labels of rows that were inserted. */
	public void label(Collection<JobRow> rows) {
		List<Dialect.Row> labels = rows.stream()
			.flatMap((row) -> row.labels
				.stream().<Dialect.Row>map((label) -> (column) -> column.equals("label") ? label : row.id))
			.toList();
		if (!labels.isEmpty()) {
			this.database.dialect()
				.insert(this.database.jdbc(), LABELS, List.of(Column.text("label"), Column.uuid("job_id")), labels);
		}
	}

	/** Inserts the rows whose id is not taken, and returns their ids. */
	public Set<UUID> insert(Collection<JobRow> rows) {
		if (rows.isEmpty()) {
			return Set.of();
		}
		List<Dialect.Row> sorted = rows.stream()
			.sorted(Comparator.comparing((row) -> row.id))
			.map(JobColumn::values)
			.toList();
		return this.database.dialect().insertNew(this.database.jdbc(), TABLE, JobColumn.EVERY, sorted);
	}

}
