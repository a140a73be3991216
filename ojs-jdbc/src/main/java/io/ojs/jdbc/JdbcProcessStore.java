package io.ojs.jdbc;

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

import io.ojs.engine.Times;
import io.ojs.job.JobState;
import io.ojs.store.attempt.Lease;
import io.ojs.store.attempt.ProcessStore;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcUtils;

/**
 * Keeps which processes live in the table {@code ojs_process}, over a connection that it
 * takes from the pool at the first beat and does not give back before it is closed.
 */
public final class JdbcProcessStore implements ProcessStore {

	/** Then nothing is left of a process that has said nothing since. */
	private static final Duration FORGOTTEN = Duration.ofDays(8);

	private static final String FORGET = "delete from ojs_process where seen_at < ?";

	/**
	 * Runs that a process has begun and does not know, for as long again as their lease
	 * was: the answer to their claim was lost, or their outcome could not be recorded.
	 */
	private static final String UNKNOWN = "select id, run from ojs_job where relay_at <= current_timestamp "
			+ "and state = 'active' and worker = ? and lease_ms is null "
			+ "and lease_until + (lease_until - started_at) < current_timestamp";

	private static final String RUN = " where id = " + ToldUpdate.FREE.formatted("?")
			+ " and run = ? and state = 'active'";

	/**
	 * The run has no process any more, so the next process that looks for lost runs takes
	 * it.
	 */
	private static final String RENOUNCE = "update ojs_job set worker = null, relay_at = current_timestamp" + RUN;

	private static final String LOOK_LATER = "update ojs_job set relay_at = ?" + RUN;

	/** How often to look for runs that the process does not know: no index has them. */
	private static final Duration LOOK_EVERY = Duration.ofMinutes(1);

	/** How long to wait for the answer of a connection that may be broken. */
	private static final int VALID_SECONDS = 1;

	private final StoreDatabase database;

	private @Nullable Connection connection;

	/** Whether beats are transactions like any other, over connections of the pool. */
	private final boolean shared;

	/** How long they are when a connection of its own may only read. */
	private final Duration whileReadOnly;

	private final Duration lookEvery;

	/** When to look for runs that the process does not know; by the JVM's clock. */
	private long lookAt = System.nanoTime();

	/** Until when they are for that reason; by the JVM's clock. */
	private long sharedUntil = System.nanoTime();

	/**
	 * Creates the store.
	 * @param database where jobs are kept
	 * @param shared whether it is to have no connection of its own, since the pool has
	 * none to spare; then an application that takes the only one can cost leases
	 */
	public JdbcProcessStore(StoreDatabase database, boolean shared) {
		this(database, shared, AutoCommit.FOR_A_WHILE, LOOK_EVERY);
	}

	JdbcProcessStore(StoreDatabase database, boolean shared, Duration whileReadOnly, Duration lookEvery) {
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
				// The pool has other connections for those who begin a transaction, or
				// the database is about to be replaced.
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
			// By lease and not by job: one that was lost may be there beside the next.
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

	/** Gives up runs that the process does not know; looks for them now and then. */
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
	 * When to look again at a run that its process holds.
	 * @return {@code null} if its {@code relay_at} is right
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

	/** One that works is kept: the pool may have no other one just now. */
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
