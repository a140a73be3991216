package io.ojs.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
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

	private final StoreDatabase database;

	private final ReentrantLock lock = new ReentrantLock();

	/**
	 * Jobs as they were when their runs began; none of a run whose success is recorded,
	 * and was not told yet.
	 */
	private final Map<Lease, @Nullable JobRow> begun = new LinkedHashMap<>() {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.Entry<Lease, @Nullable JobRow> eldest) {
			return size() > MOST_REMEMBERED;
		}

	};

	/** Whether statements outside of transactions are none, or go elsewhere. */
	private volatile boolean transactionsOnly;

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
		Set<Lease> completed = new HashSet<>();
		Transitions transitions = new Transitions(this.database, now);
		List<PlainEnd> ends = new ArrayList<>();
		Map<Lease, @Nullable JobRow> recalled = recall(outcomes);
		for (Outcome outcome : outcomes) {
			boolean known = recalled.containsKey(outcome.lease());
			JobRow row = recalled.remove(outcome.lease());
			if (known && row == null) {
				completed.add(outcome.lease());
			}
			else if (row != null && row.workflowId == null && outcome instanceof Outcome.Completed success) {
				transitions.complete(row, success.result());
				Event event = transitions.events().get(ends.size());
				ends.add(new PlainEnd(outcome.lease(), row, this.database.events().row(event)));
			}
		}
		if (isPossible()) {
			completed.addAll(execute(ends, PlainEnd::complete));
		}
		return completed;
	}

	/** Whoever asked was not told, since others have failed, and asks again. */
	void unanswered(Collection<Lease> completed) {
		Map<Lease, @Nullable JobRow> answers = new HashMap<>();
		completed.forEach((lease) -> answers.put(lease, null));
		keep(answers);
	}

	private void remember(Map<Lease, JobRow> rows) {
		for (JobRow row : rows.values()) {
			// What may be large is not needed again.
			row.envelope = "";
			row.headers = null;
			row.errors = null;
		}
		keep(rows);
	}

	private void keep(Map<Lease, ? extends @Nullable JobRow> rows) {
		this.lock.lock();
		try {
			this.begun.putAll(rows);
		}
		finally {
			this.lock.unlock();
		}
	}

	private Map<Lease, @Nullable JobRow> recall(List<? extends Outcome> outcomes) {
		Map<Lease, @Nullable JobRow> recalled = new HashMap<>();
		this.lock.lock();
		try {
			for (Outcome outcome : outcomes) {
				if (this.begun.containsKey(outcome.lease())) {
					recalled.put(outcome.lease(), this.begun.remove(outcome.lease()));
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
		return !this.transactionsOnly && !TransactionSynchronizationManager.isActualTransactionActive()
				&& !TransactionSynchronizationManager.isSynchronizationActive() && !this.database.hasTimeout()
				&& this.database.dialect() == Dialect.POSTGRESQL;
	}

	private <T, R> List<R> execute(List<T> runs, Execution<T, R> execution) {
		if (runs.isEmpty()) {
			return List.of();
		}
		try {
			List<R> executed = this.database.jdbc().execute((ConnectionCallback<List<R>>) (connection) -> {
				// Otherwise nobody would commit it.
				this.transactionsOnly = !connection.getAutoCommit();
				return this.transactionsOnly ? List.of() : execution.execute(connection, runs);
			});
			return (executed != null) ? executed : List.of();
		}
		catch (DataAccessException ex) {
			if (ex.getRootCause() instanceof SQLException cause && READ_ONLY.equals(cause.getSQLState())) {
				// What is written goes elsewhere, and is known by its transaction.
				this.transactionsOnly = true;
				return List.of();
			}
			throw ex;
		}
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
