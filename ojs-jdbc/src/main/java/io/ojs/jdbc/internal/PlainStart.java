package io.ojs.jdbc.internal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import io.ojs.internal.engine.JobRow;
import io.ojs.store.internal.attempt.ClaimRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.RowMapperResultSetExtractor;

/**
 * A run that one PostgreSQL statement begins, without a query before it.
 *
 * @param request the claim
 * @param row the row of the job, as it will be
 * @param event the event of the start
 */
record PlainStart(ClaimRequest request, JobRow row, EventLog.Told event) implements ToldUpdate.Row {

	/**
	 * All conditions under which a claim has nothing else to do. PostgreSQL looks up the
	 * rows by the index of the ids: no other index has the state, and these conditions
	 * imply the condition of no partial index.
	 */
	private static final String AS_EXPECTED = "t.state = 'available' and t.attempt = 0 and t.max_attempts > 0 "
			+ "and t.tenant is null and t.rate_key is null and t.blocked_by is null and t.blocked_rank = "
			+ JobRow.IN_ORDER + " and not t.has_places and t.awaits_turn is null and t.worker_wait_since is null "
			+ "and t.worker_wait_until is null and t.errors is null";

	/**
	 * Sets {@code relay_at} as the engine does when a run begins; mostly it stays
	 * unchanged.
	 */
	private static final String LOOK_AT = "relay_at = least(t.relay_at, %s)";

	/** Begins one run. */
	private static final String ONE = "with changed as (update " + JobRows.TABLE + " t set "
			+ Sql.join(JobColumn.START, "%s = ?", ", ") + ", " + LOOK_AT.formatted("?") + " where t.id = "
			+ ToldUpdate.FREE.formatted("?")
			+ " and t.queue = ? and t.type = ? and t.version_key is not distinct from ? "
			+ "and (t.expires_at is null or t.expires_at >= ?) and " + AS_EXPECTED + " returning "
			+ JobColumn.MORE_NAMES + "), told as (" + EventLog.TELL + ") select * from changed";

	/** Begins many runs. */
	private static final ToldUpdate ALL = new ToldUpdate(JobColumn.START, ", " + LOOK_AT.formatted("v.look_at"),
			List.of(Column.text("as_queue"), Column.text("as_type"), Column.bigint("as_version_key"), Column.time("at"),
					Column.time("look_at")),
			"t.queue = v.as_queue and t.type = v.as_type and t.version_key is not distinct from v.as_version_key "
					+ "and (t.expires_at is null or t.expires_at >= v.at) and " + AS_EXPECTED,
			JobColumn.MORE_NAMES);

	/** Begins the runs of jobs whose rows are as expected. */
	static List<JobRow> begin(Connection connection, Map<UUID, PlainStart> starts) throws SQLException {
		RowMapper<JobRow> mapper = (set, index) -> {
			JobRow row = Objects.requireNonNull(starts.get(set.getObject(1, UUID.class))).row();
			JobColumn.readMore(row, set);
			return row;
		};
		if (starts.size() > 1) {
			return ALL.execute(connection, starts.values(), mapper);
		}
		try (PreparedStatement statement = connection.prepareStatement(ONE)) {
			starts.values().iterator().next().set(statement);
			try (ResultSet rows = statement.executeQuery()) {
				return new RowMapperResultSetExtractor<>(mapper).extractData(rows);
			}
		}
	}

	private void set(PreparedStatement statement) throws SQLException {
		int index = Column.set(statement, 0, JobColumn.START, JobColumn.values(this.row));
		Column.time("lease_until").set(statement, ++index, this.row.leaseUntil);
		statement.setObject(++index, this.row.id);
		statement.setString(++index, this.row.queue);
		statement.setString(++index, this.row.type);
		Column.bigint("version_key").set(statement, ++index, this.row.versionKey);
		Column.time("expires_at").set(statement, ++index, this.row.startedAt);
		Column.set(statement, index, EventLog.COLUMNS, this.event);
	}

	@Override
	public @Nullable Object value(String column) {
		return switch (column) {
			case "as_queue" -> this.row.queue;
			case "as_type" -> this.row.type;
			case "as_version_key" -> this.row.versionKey;
			case "at" -> this.row.startedAt;
			case "look_at" -> this.row.leaseUntil;
			default -> JobColumn.value(this.row, column);
		};
	}

}
