package io.ojs.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;

import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.json.RateLimitJson;
import io.ojs.store.Claim;
import io.ojs.store.ClaimRequest;
import io.ojs.store.Lease;
import io.ojs.store.Outcome;
import io.ojs.tenant.Tenants;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Begins and ends runs with one statement each, which is a transaction by itself and
 * looks at nothing before: jobs that are what their messages say, and of which nothing
 * else is to be asked or told. What it does not do is to be done in the usual way. Only
 * for a run that comes alone; those that come together share more than it would spare
 * them.
 */
final class PlainRuns {

	/** There are rarely that many at a time that came alone. */
	private static final int MOST_REMEMBERED = 1000;

	/**
	 * All that a claim would find out, and have to do something about. Looked up by no
	 * other index than that of the ids, whatever statistics say.
	 */
	private static final String AS_EXPECTED = " where id = ? and state || '' = 'available' and queue = ? and type = ? "
			+ "and attempt = ? and attempt < max_attempts and version_key is not distinct from ? "
			+ "and (expires_at is null or expires_at >= ?) and tenant is null and rate_key is null "
			+ "and waiting_for is null and waiting_rank = " + JobRow.IN_ORDER + " and not rate_granted "
			+ "and held_back is null and held_at is null and held_until is null";

	private static final String STILL_ITS_OWN = " where id = ? and run = ? and state || '' = 'active' "
			+ "and tenant is null and rate_key is null and workflow_id is null";

	private static final List<Column> START = JobRow.START.stream()
		.filter((column) -> !column.name().equals("run"))
		.toList();

	private static final String BEGIN = "with changed as (update ojs_job set " + Sql.join(START, "%s = ?", ", ")
			+ ", run = run + 1" + AS_EXPECTED + " returning " + JobRow.ALL_COLUMNS + "), told as (" + EventLog.TELL
			+ ") select * from changed";

	private static final String COMPLETE = "with changed as (update ojs_job set "
			+ Sql.join(JobRow.SUCCESS, "%s = ?", ", ") + STILL_ITS_OWN + " returning id) " + EventLog.TELL;

	private final StoreDatabase database;

	private final ReentrantLock lock = new ReentrantLock();

	/** Jobs as they were when their runs began. */
	private final Map<Lease, JobRow> begun = new LinkedHashMap<>() {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.Entry<Lease, JobRow> eldest) {
			return size() > MOST_REMEMBERED;
		}

	};

	PlainRuns(StoreDatabase database) {
		this.database = database;
	}

	/**
	 * Begins a run.
	 * @return what came of it; empty if the job has to be looked at
	 */
	Optional<Claim> begin(ClaimRequest request, String worker, Instant now) {
		Job job = request.encoded().job();
		if (!isPossible() || !request.unanswered().isEmpty() || Tenants.of(job).isPresent()
				|| RateLimitJson.of(job).isPresent() || !request.handled().contain(job.type(), job.version())) {
			return Optional.empty();
		}
		JobRow expected = expected(request, job);
		if (!new JobLimits(this.database.options().limits()).of(expected, job).isEmpty()) {
			return Optional.empty();
		}
		int attempt = expected.attempt;
		Transitions transitions = new Transitions(this.database, now);
		transitions.start(expected, worker, now.plus(request.lease()));
		Dialect.Row event = this.database.events().row(transitions.events().get(0));
		return execute(BEGIN, (statement) -> {
			int index = Column.set(statement, 0, START, expected);
			statement.setObject(++index, expected.id);
			statement.setString(++index, expected.queue);
			statement.setString(++index, expected.type);
			statement.setInt(++index, attempt);
			Column.bigint("version_key").set(statement, ++index, expected.versionKey);
			Column.time("expires_at").set(statement, ++index, transitions.now());
			Column.set(statement, index, EventLog.COLUMNS, event);
			try (ResultSet changed = statement.executeQuery()) {
				return changed.next() ? JobRow.readAll(changed) : null;
			}
		}).map((row) -> {
			Claim.Taken taken = new Claim.Taken(this.database.jobs().stored(row, request.encoded()),
					new Lease(row.id.toString(), row.run), false, false);
			remember(taken.lease(), row);
			return taken;
		});
	}

	private static JobRow expected(ClaimRequest request, Job job) {
		JobRow row = new JobRow(UUID.fromString(job.id()));
		row.type = job.type();
		row.queue = request.queue();
		row.state = JobState.AVAILABLE;
		row.attempt = Math.max(1, request.attempt()) - 1;
		row.versionKey = (job.version() != null) ? (Long) job.version().ordinal() : null;
		return row;
	}

	private void remember(Lease lease, JobRow row) {
		// What may be large is read again if it is needed.
		row.envelope = "";
		row.headers = null;
		this.lock.lock();
		try {
			this.begun.put(lease, row);
		}
		finally {
			this.lock.unlock();
		}
	}

	private @Nullable JobRow recall(Lease lease) {
		this.lock.lock();
		try {
			return this.begun.remove(lease);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Records that a run has succeeded.
	 * @return whether it did so; otherwise the job has to be looked at
	 */
	boolean complete(Outcome outcome, Instant now) {
		JobRow row = recall(outcome.lease());
		if (row == null || !(outcome instanceof Outcome.Completed completed) || !isPossible()
				|| row.workflowId != null) {
			return false;
		}
		Transitions transitions = new Transitions(this.database, now);
		transitions.complete(row, completed.result());
		Dialect.Row event = this.database.events().row(transitions.events().get(0));
		return execute(COMPLETE, (statement) -> {
			int index = Column.set(statement, 0, JobRow.SUCCESS, row);
			statement.setObject(++index, row.id);
			statement.setLong(++index, row.run);
			Column.set(statement, index, EventLog.COLUMNS, event);
			return (statement.executeUpdate() == 1) ? row : null;
		}).isPresent();
	}

	/** Whether nobody else's transaction would be part of it. */
	private boolean isPossible() {
		return !TransactionSynchronizationManager.isActualTransactionActive()
				&& !TransactionSynchronizationManager.isSynchronizationActive()
				&& this.database.dialect() == Dialect.POSTGRESQL;
	}

	private Optional<JobRow> execute(String sql, Execution execution) {
		return Optional.ofNullable(this.database.jdbc().execute((ConnectionCallback<@Nullable JobRow>) (connection) -> {
			if (!connection.getAutoCommit()) {
				// Nobody would commit it.
				return null;
			}
			return execute(connection, sql, execution);
		}));
	}

	private static @Nullable JobRow execute(Connection connection, String sql, Execution execution)
			throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(sql)) {
			return execution.execute(statement);
		}
	}

	/** Sets the parameters of a statement and executes it. */
	private interface Execution {

		@Nullable JobRow execute(PreparedStatement statement) throws SQLException;

	}

}
