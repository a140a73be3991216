package io.ojs.jdbc.internal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

import io.ojs.internal.engine.JobRow;
import io.ojs.store.internal.attempt.Lease;
import org.jspecify.annotations.Nullable;

/**
 * The success of a run on which nothing else depends, recorded by one PostgreSQL
 * statement.
 *
 * @param lease the lease of the run
 * @param row the row of the job, as it will be
 * @param event the event of the success
 */
record PlainEnd(Lease lease, JobRow row, EventLog.Told event) implements ToldUpdate.Row {

	private static final String STILL_PLAIN = "t.state = 'active' and t.tenant is null and t.rate_key is null "
			+ "and t.workflow_id is null";

	/** Completes one run. */
	private static final String ONE = "with changed as (update " + JobRows.TABLE + " t set "
			+ Sql.join(JobColumn.SUCCESS, "%s = ?", ", ") + " where t.id = " + ToldUpdate.FREE.formatted("?")
			+ " and t.run = ? and " + STILL_PLAIN + " returning id), told as (" + EventLog.TELL
			+ ") select id from changed";

	/** Completes many runs. */
	private static final ToldUpdate ALL = new ToldUpdate(JobColumn.SUCCESS, "", List.of(Column.bigint("as_run")),
			"t.run = v.as_run and " + STILL_PLAIN, "id, run, queue");

	/** Completes the runs whose rows are as expected and whose leases are valid. */
	static List<Lease> complete(Connection connection, List<PlainEnd> ends) throws SQLException {
		if (ends.size() > 1) {
			return ALL.execute(connection, ends, (row, index) -> new Lease(row.getString("id"), row.getLong("run")));
		}
		try (PreparedStatement statement = connection.prepareStatement(ONE)) {
			ends.get(0).set(statement);
			try (ResultSet changed = statement.executeQuery()) {
				return changed.next() ? List.of(ends.get(0).lease) : List.of();
			}
		}
	}

	private void set(PreparedStatement statement) throws SQLException {
		int index = Column.set(statement, 0, JobColumn.SUCCESS, JobColumn.values(this.row));
		statement.setObject(++index, this.row.id);
		statement.setLong(++index, this.row.run);
		Column.set(statement, index, EventLog.COLUMNS, this.event);
	}

	@Override
	public @Nullable Object value(String column) {
		return switch (column) {
			case "as_run" -> this.row.run;
			default -> JobColumn.value(this.row, column);
		};
	}

}
