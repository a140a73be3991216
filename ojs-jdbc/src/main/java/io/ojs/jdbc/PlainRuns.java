package io.ojs.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.json.RateLimitJson;
import io.ojs.log.SafeLogger;
import io.ojs.store.Claim;
import io.ojs.store.ClaimRequest;
import io.ojs.store.Lease;
import io.ojs.store.Outcome;
import io.ojs.tenant.Tenants;
import org.slf4j.Logger;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Begins and ends runs with one statement, which is a transaction by itself and looks at
 * nothing before: jobs that are what their messages say, and of which nothing else is to
 * be asked or told. What it does not do is to be done in the usual way.
 */
final class PlainRuns {

	/** More than are under way in any process whose handlers take no time. */
	private static final int MOST_REMEMBERED = 2000;

	/** What a database answers that may not be written, such as a copy of another. */
	private static final String READ_ONLY = "25006";

	/** It may be for now only: a database that is about to be replaced says so too. */
	static final Duration FOR_A_WHILE = Duration.ofMinutes(1);

	private static final Logger logger = SafeLogger.of(PlainRuns.class);

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

	/** Runs whose success is recorded, and was not told, since others have failed. */
	private final Set<Lease> unanswered = ConcurrentHashMap.newKeySet();

	/** Until when all is done in transactions; by the JVM's clock. */
	private volatile long transactionsUntil = System.nanoTime();

	PlainRuns(StoreDatabase database) {
		this.database = database;
	}

	/**
	 * Begins runs.
	 * @return what came of them, by job; those that are missing have to be looked at
	 */
	Map<String, Claim> begin(List<ClaimRequest> requests, String worker, Instant now) {
		Map<UUID, PlainStart> starts = isPossible() ? starts(requests, worker, now) : Map.of();
		Map<String, Claim> claims = new HashMap<>();
		Map<Lease, JobRow> rows = new HashMap<>();
		for (JobRow row : execute(List.copyOf(starts.values()), PlainStart::begin)) {
			Lease lease = new Lease(row.id.toString(), row.run);
			ClaimRequest request = starts.get(row.id).request();
			claims.put(lease.jobId(),
					new Claim.Taken(this.database.jobs().stored(row, request.encoded()), lease, false, false));
			rows.put(lease, row);
		}
		remember(rows);
		return claims;
	}

	private Map<UUID, PlainStart> starts(List<ClaimRequest> requests, String worker, Instant now) {
		JobLimits limits = new JobLimits(this.database.options().limits());
		Transitions transitions = new Transitions(this.database, now);
		Map<UUID, PlainStart> starts = new LinkedHashMap<>();
		for (ClaimRequest request : requests) {
			Job job = request.encoded().job();
			// One that comes again has a past.
			if (request.attempt() > 1 || !request.unanswered().isEmpty() || Tenants.of(job).isPresent()
					|| RateLimitJson.of(job).isPresent() || !request.handled().contain(job.type(), job.version())) {
				continue;
			}
			JobRow expected = expected(request, job);
			if (limits.of(expected, job).isEmpty() && !starts.containsKey(expected.id)) {
				transitions.start(expected, worker, now.plus(request.lease()));
				Event event = transitions.events().get(starts.size());
				starts.put(expected.id, new PlainStart(request, expected, this.database.events().row(event)));
			}
		}
		return starts;
	}

	private static JobRow expected(ClaimRequest request, Job job) {
		JobRow row = new JobRow(UUID.fromString(job.id()));
		row.type = job.type();
		row.queue = request.queue();
		row.state = JobState.AVAILABLE;
		row.versionKey = (job.version() != null) ? (Long) job.version().ordinal() : null;
		return row;
	}

	/**
	 * Records that runs have succeeded. Forgets how all of them began.
	 * @return of which it did so, now or before; the others have to be looked at
	 */
	Set<Lease> complete(List<? extends Outcome> outcomes, Instant now) {
		Map<Lease, JobRow> recalled = recall(outcomes);
		Transitions transitions = new Transitions(this.database, now);
		List<PlainEnd> ends = new ArrayList<>();
		for (Outcome outcome : outcomes) {
			JobRow row = recalled.remove(outcome.lease());
			if (row != null && row.workflowId == null && outcome instanceof Outcome.Completed success) {
				transitions.complete(row, success.result());
				Event event = transitions.events().get(ends.size());
				ends.add(new PlainEnd(outcome.lease(), row, this.database.events().row(event)));
			}
		}
		Set<Lease> completed = new HashSet<>(isPossible() ? execute(ends, PlainEnd::complete) : List.of());
		for (Outcome outcome : outcomes) {
			if (this.unanswered.remove(outcome.lease())) {
				completed.add(outcome.lease());
			}
		}
		return completed;
	}

	/** Whoever asked was not told, since others have failed, and asks again. */
	void unanswered(Collection<Lease> completed) {
		if (this.unanswered.size() < MOST_REMEMBERED) {
			this.unanswered.addAll(completed);
		}
	}

	private void remember(Map<Lease, JobRow> rows) {
		for (JobRow row : rows.values()) {
			// What may be large is not needed again.
			row.envelope = "";
			row.headers = null;
			row.errors = null;
		}
		this.lock.lock();
		try {
			this.begun.putAll(rows);
		}
		finally {
			this.lock.unlock();
		}
	}

	private Map<Lease, JobRow> recall(List<? extends Outcome> outcomes) {
		Map<Lease, JobRow> recalled = new HashMap<>();
		this.lock.lock();
		try {
			for (Outcome outcome : outcomes) {
				JobRow row = this.begun.remove(outcome.lease());
				if (row != null) {
					recalled.put(outcome.lease(), row);
				}
			}
		}
		finally {
			this.lock.unlock();
		}
		return recalled;
	}

	/**
	 * Whether a statement would be a transaction by itself, and may take the time that it
	 * takes.
	 */
	private boolean isPossible() {
		return System.nanoTime() - this.transactionsUntil >= 0
				&& !TransactionSynchronizationManager.isActualTransactionActive()
				&& !TransactionSynchronizationManager.isSynchronizationActive() && !this.database.hasTimeout()
				&& this.database.dialect() == Dialect.POSTGRESQL;
	}

	private <T, R> List<R> execute(List<T> runs, Execution<T, R> execution) {
		if (runs.isEmpty()) {
			return List.of();
		}
		try {
			List<R> executed = this.database.jdbc().execute((ConnectionCallback<List<R>>) (connection) -> {
				if (!connection.getAutoCommit()) {
					// Nobody would commit it.
					transactionsOnly("the connections of the job store do not commit by themselves");
					return List.of();
				}
				return execution.execute(connection, runs);
			});
			return (executed != null) ? executed : List.of();
		}
		catch (DataAccessException ex) {
			if (isReadOnly(ex)) {
				// Perhaps what is written goes elsewhere, and is known by its
				// transaction.
				transactionsOnly("the database of the job store may only be read outside of transactions");
				return List.of();
			}
			throw ex;
		}
	}

	/** Whether a database may not be written outside of transactions. */
	static boolean isReadOnly(RuntimeException failure) {
		Throwable root = NestedExceptionUtils.getMostSpecificCause(failure);
		return root instanceof SQLException cause && READ_ONLY.equals(cause.getSQLState());
	}

	private void transactionsOnly(String why) {
		logger.debug("Jobs begin and end in transactions, since {}", why);
		this.transactionsUntil = System.nanoTime() + FOR_A_WHILE.toNanos();
	}

	/**
	 * Begins or ends runs.
	 *
	 * @param <T> what begins or ends
	 * @param <R> what is told of those that do
	 */
	private interface Execution<T, R> {

		List<R> execute(Connection connection, List<T> runs) throws SQLException;

	}

}
