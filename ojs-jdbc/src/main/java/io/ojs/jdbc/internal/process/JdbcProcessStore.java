package io.ojs.jdbc.internal.process;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.ojs.internal.engine.Times;
import io.ojs.jdbc.internal.AutoCommit;
import io.ojs.jdbc.internal.Dialect;
import io.ojs.jdbc.internal.JobRows;
import io.ojs.jdbc.internal.SqlTimes;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.jdbc.internal.ToldUpdate;
import io.ojs.job.JobState;
import io.ojs.store.internal.attempt.Lease;
import io.ojs.store.internal.attempt.ProcessStore;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcUtils;

/**
 * Records in the table {@code ojs_process} which processes live. It takes a connection
 * from the pool at the first beat, and keeps it until it is closed.
 */
public final class JdbcProcessStore implements ProcessStore {

	/**
	 * After this time nothing depends on a process that is silent, and its row is
	 * deleted.
	 */
	private static final Duration FORGOTTEN = Duration.ofDays(8);

	private static final String FORGET = "delete from ojs_process where seen_at < ?";

	/**
	 * Finds runs of a process that have lasted for twice the length of their lease. Those
	 * that the process does not know were lost: the answer to their claim did not arrive,
	 * or their outcome could not be recorded.
	 */
	private static final String UNKNOWN = "select id, run from ojs_job where relay_at <= current_timestamp "
			+ "and state = 'active' and worker = ? and lease_ms is null "
			+ "and lease_until + (lease_until - started_at) < current_timestamp";

	private static final String RUN = " where id = " + ToldUpdate.FREE.formatted("?")
			+ " and run = ? and state = 'active'";

	/**
	 * Removes the process from a run, so that the next process that looks for lost runs
	 * takes the run.
	 */
	private static final String RENOUNCE = "update ojs_job set worker = null, relay_at = current_timestamp" + RUN;

	private static final String LOOK_LATER = "update ojs_job set relay_at = ?" + RUN;

	/**
	 * How often to look for runs that the process does not know: no index serves the
	 * query.
	 */
	private static final Duration LOOK_EVERY = Duration.ofMinutes(1);

	/** How many seconds to wait for an answer on a connection that may be broken. */
	private static final int VALID_SECONDS = 1;

	private final StoreDatabase database;

	private @Nullable Connection connection;

	/** Whether beats are ordinary transactions, on connections of the pool. */
	private final boolean shared;

	/**
	 * How long beats are such transactions after a connection of their own was read-only.
	 */
	private final Duration whileReadOnly;

	private final Duration lookEvery;

	/**
	 * When to look again for runs that the process does not know, as
	 * {@link System#nanoTime()}.
	 */
	private long lookAt = System.nanoTime();

	/**
	 * Until when beats use the pool because their own connection was read-only, as
	 * {@link System#nanoTime()}.
	 */
	private long sharedUntil = System.nanoTime();

	/**
	 * Creates the store.
	 * @param shared whether to use connections of the pool, because the pool has none to
	 * spare; then an application that holds the only connection can cost leases
	 */
	public JdbcProcessStore(StoreDatabase database, boolean shared) {
		this(database, shared, AutoCommit.FOR_A_WHILE, LOOK_EVERY);
	}

	public JdbcProcessStore(StoreDatabase database, boolean shared, Duration whileReadOnly, Duration lookEvery) {
		this.database = database;
		this.shared = shared;
		this.whileReadOnly = whileReadOnly;
		this.lookEvery = lookEvery;
	}

	@Override
	public Beat beat(String process, Collection<Lease> held) {
		if (!this.shared && System.nanoTime() - this.sharedUntil >= 0) {
			try {
				return this.database.read("say that this process lives", () -> beat(own(), process, held));
			}
			catch (RuntimeException ex) {
				if (!AutoCommit.isReadOnly(ex)) {
					closeBroken();
					throw ex;
				}
				// The pool may have writable connections for transactions, or the
				// database is about to be replaced.
				close();
				this.sharedUntil = System.nanoTime() + this.whileReadOnly.toNanos();
			}
		}
		return this.database.writeAlone("say that this process lives", () -> beat(this.database.jdbc(), process, held));
	}

	private JdbcTemplate own() {
		try {
			Connection known = this.connection;
			if (known == null) {
				known = this.database.dataSource().getConnection();
				this.connection = known;
				known.setAutoCommit(true);
			}
			return new JdbcTemplate(new SingleConnectionDataSource(known, true));
		}
		catch (SQLException ex) {
			throw new CannotGetJdbcConnectionException("There is no connection for leases.", ex);
		}
	}

	private Beat beat(JdbcTemplate jdbc, String process, Collection<Lease> held) {
		if (jdbc.update("update ojs_process set seen_at = current_timestamp where id = ?", process) == 0) {
			this.database.dialect()
				.insertUnlessThere(jdbc, "insert into ojs_process (id, seen_at) values (?, current_timestamp)",
						process);
			jdbc.update(FORGET, Times.utc(time(jdbc).minus(FORGOTTEN)));
		}
		renounce(jdbc, process, held);
		Map<Lease, Boolean> lost = new HashMap<>();
		held.forEach((lease) -> lost.put(lease, false));
		List<Object[]> later = new ArrayList<>();
		List<UUID> ids = JobRows.ids(held.stream().map(Lease::jobId).toList());
		if (!ids.isEmpty()) {
			// By lease, not by job: a lost run of a job can be there beside the next one.
			jdbc.query(
					this.database.dialect()
						.byIds("id, run, state, relay_at, started_at, lease_until, current_timestamp as now", ""),
					Dialect.ids(ids), (row) -> {
						Lease lease = new Lease(row.getObject("id", UUID.class).toString(), row.getLong("run"));
						JobState state = JobState.fromWire(row.getString("state"));
						if (state == JobState.ACTIVE) {
							Instant end = (lost.remove(lease) != null) ? lookLater(row) : null;
							if (end != null) {
								later
									.add(new Object[] { Times.utc(end), row.getObject("id", UUID.class), lease.run() });
							}
						}
						else if (state == JobState.CANCELLED) {
							lost.replaceAll((each, cancelled) -> cancelled || each.jobId().equals(lease.jobId()));
						}
					});
		}
		jdbc.batchUpdate(LOOK_LATER, later);
		return new Beat(time(jdbc), lost);
	}

	/** Gives up runs that the process does not hold, if it is time to look for them. */
	private void renounce(JdbcTemplate jdbc, String process, Collection<Lease> held) {
		if (System.nanoTime() - this.lookAt < 0) {
			return;
		}
		List<Lease> unknown = jdbc.query(UNKNOWN,
				(row, index) -> new Lease(row.getObject("id", UUID.class).toString(), row.getLong("run")), process);
		jdbc.batchUpdate(RENOUNCE,
				unknown.stream()
					.filter((lease) -> !held.contains(lease))
					.map((lease) -> new Object[] { UUID.fromString(lease.jobId()), lease.run() })
					.toList());
		this.lookAt = System.nanoTime() + this.lookEvery.toNanos();
	}

	/**
	 * Returns when to look again at a run that its process holds.
	 * @return the time; {@code null} if {@code relay_at} is right
	 */
	private static @Nullable Instant lookLater(ResultSet row) throws SQLException {
		Instant now = SqlTimes.instant(row, "now");
		Instant at = SqlTimes.read(row, "relay_at");
		Instant end = now
			.plus(Duration.between(SqlTimes.instant(row, "started_at"), SqlTimes.instant(row, "lease_until")));
		return (at == null || !at.isAfter(now) || at.isAfter(end)) ? end : null;
	}

	private static Instant time(JdbcTemplate jdbc) {
		List<Instant> now = jdbc.query("select current_timestamp as now", (row, index) -> SqlTimes.instant(row, "now"));
		return now.get(0);
	}

	@Override
	public Instant now() {
		return this.database.read("read the time", () -> time(this.database.jdbc()));
	}

	/**
	 * Closes the connection if it is broken. A working one is kept: the pool may have no
	 * other now.
	 */
	private void closeBroken() {
		try {
			if (this.connection == null || !this.connection.isValid(VALID_SECONDS)) {
				close();
			}
		}
		catch (SQLException ex) {
			close();
		}
	}

	@Override
	public void close() {
		Connection closing = this.connection;
		this.connection = null;
		if (closing != null) {
			JdbcUtils.closeConnection(closing);
		}
	}

}
