package io.ojs.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.ojs.engine.Times;
import io.ojs.job.JobState;
import io.ojs.store.Lease;
import io.ojs.store.ProcessStore;
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
	private static final Duration FORGOTTEN = Duration.ofDays(1);

	private static final String FORGET = "delete from ojs_process p where seen_at < ? and not exists "
			+ "(select 1 from ojs_job j where j.state = 'active' and j.worker = p.id)";

	/**
	 * Runs that a process has begun and does not know, for as long again as their lease
	 * was: the answer to their claim was lost, or their outcome could not be recorded.
	 */
	private static final String UNKNOWN = "select id, run from ojs_job where state = 'active' and worker = ? "
			+ "and lease_ms is null and lease_until < current_timestamp "
			+ "and lease_until + (lease_until - started_at) < current_timestamp";

	/**
	 * From then on it is nobody's, so that the next one who looks for lost runs has it.
	 */
	private static final String RENOUNCE = "update ojs_job set worker = null where id = "
			+ ToldUpdate.FREE.formatted("?") + " and run = ? and state = 'active'";

	/** How long to wait for the answer of a connection that may be broken. */
	private static final int VALID_SECONDS = 1;

	private final StoreDatabase database;

	private @Nullable Connection connection;

	/** Whether beats are transactions like any other, over connections of the pool. */
	private final boolean shared;

	/** How long they are when a connection of its own may only read. */
	private final Duration whileReadOnly;

	/** Until when they are for that reason; by the JVM's clock. */
	private long sharedUntil = System.nanoTime();

	/**
	 * Creates the store.
	 * @param database where jobs are kept
	 * @param shared whether it is to have no connection of its own, since the pool has
	 * none to spare; then an application that takes the only one can cost leases
	 */
	public JdbcProcessStore(StoreDatabase database, boolean shared) {
		this(database, shared, AutoCommit.FOR_A_WHILE);
	}

	JdbcProcessStore(StoreDatabase database, boolean shared, Duration whileReadOnly) {
		this.database = database;
		this.shared = shared;
		this.whileReadOnly = whileReadOnly;
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
		List<UUID> ids = JobRows.ids(held.stream().map(Lease::jobId).toList());
		if (!ids.isEmpty()) {
			// By lease and not by job: one that was lost may be there beside the next.
			jdbc.query(this.database.dialect().byIds("id, run, state", ""), Dialect.ids(ids), (row) -> {
				Lease lease = new Lease(row.getObject("id", UUID.class).toString(), row.getLong("run"));
				JobState state = JobState.fromWire(row.getString("state"));
				if (state == JobState.ACTIVE) {
					lost.remove(lease);
				}
				else if (state == JobState.CANCELLED) {
					lost.replaceAll((each, cancelled) -> cancelled || each.jobId().equals(lease.jobId()));
				}
			});
		}
		return new Beat(time(jdbc), lost);
	}

	private static void renounce(JdbcTemplate jdbc, String process, Collection<Lease> held) {
		List<Lease> unknown = jdbc.query(UNKNOWN,
				(row, index) -> new Lease(row.getObject("id", UUID.class).toString(), row.getLong("run")), process);
		for (Lease lease : unknown) {
			if (!held.contains(lease)) {
				jdbc.update(RENOUNCE, UUID.fromString(lease.jobId()), lease.run());
			}
		}
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
