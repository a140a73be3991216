package io.ojs.jdbc;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.ojs.client.EncodedJob;
import io.ojs.engine.Decision;
import io.ojs.engine.JobRow;
import io.ojs.engine.StartGate;
import io.ojs.engine.Starts;
import io.ojs.engine.Times;
import io.ojs.engine.Transitions;
import io.ojs.job.HandledJobs;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.Rfc3339;
import io.ojs.json.UndecodableJobException;
import io.ojs.store.FairShares;
import org.jspecify.annotations.Nullable;

/**
 * One fetch, within its transaction.
 */
final class Fetching {

	/** What is due beyond that becomes available at the next fetch, or by the relay. */
	private static final int DUE = 500;

	/** How many are looked at together where most have to wait for a limit. */
	private static final int LIMITED = 100;

	/** After so many of them, others may have the locks. */
	private static final int MOST_LIMITED = 500;

	private final StoreDatabase database;

	private final Taking taking;

	/** Whose jobs alone are wanted. */
	private final @Nullable String tenant;

	/** What alone the worker can run. */
	private final HandledCondition handled;

	private final Instant now;

	/** How many it has taken. */
	private int taken;

	/** Whether jobs have ended instead of being taken. */
	private boolean found;

	/** The limits that are locked. */
	private final Set<String> keys = new HashSet<>();

	/** How many rows of limited queues it has looked at. */
	private int looked;

	private boolean unfinished;

	/** Whether the next job is not for this worker now. */
	private boolean full;

	Fetching(StoreDatabase database, Taking taking, @Nullable String tenant, HandledCondition handled, Instant now) {
		this.database = database;
		this.taking = taking;
		this.tenant = tenant;
		this.handled = handled;
		this.now = now;
	}

	/**
	 * Takes what it can. If that is less than there is, {@link #isUnfinished()}.
	 */
	void fetch(List<String> queues, int count) {
		for (String queue : queues) {
			if (this.taken < count && !this.unfinished) {
				makeAvailable(queue);
				take(queue, count);
			}
		}
	}

	/** Whether it found something: jobs to take, or jobs that have ended. */
	boolean hasFound() {
		return this.found || this.taken > 0;
	}

	/** Whether it stopped early, so that nobody has to wait for its locks. */
	boolean isUnfinished() {
		return this.unfinished;
	}

	/** Whether it stopped before jobs that are available. */
	boolean hasLeft() {
		return this.full || this.unfinished;
	}

	/** What is due competes with what has been available before. */
	void makeAvailable(String queue) {
		List<JobRow> due = this.database.jdbc()
			.query("select " + JobColumn.ALL_NAMES + " from ojs_job where queue = ? and due_at <= ? "
					+ "and state in ('scheduled', 'retryable') order by due_at limit ? for update skip locked",
					JobRows.ALL, queue, Times.utc(this.now), DUE);
		if (due.isEmpty()) {
			return;
		}
		Transitions transitions = this.database.transitions(this.now);
		for (JobRow row : due) {
			if (isExpired(row)) {
				expire(row, transitions);
				continue;
			}
			transitions.makeAvailable(row, row.relayAt);
		}
		this.database.save(transitions);
	}

	void take(String queue, int count) {
		boolean limited = false;
		while (this.taken < count && !this.unfinished && !this.full) {
			// Rows that others have locked are theirs, so this is exact for who is alone.
			int wanted = count - this.taken;
			int most = limited ? Math.max(wanted, LIMITED) : wanted;
			List<JobRow> rows = next(queue, most);
			if (rows.isEmpty()) {
				return;
			}
			Transitions transitions = this.database.transitions(this.now);
			StartGate gate = new JdbcStartGate(this.database, this.now);
			Starts starts = new Starts(transitions, gate);
			Map<JobRow, EncodedJob> readable = readable(rows, transitions);
			Map<JobRow, Job> jobs = new LinkedHashMap<>();
			readable.forEach((row, known) -> jobs.put(row, known.job()));
			if (gate.lockMore(jobs, this.keys)) {
				take(readable, count, transitions, starts);
			}
			else {
				this.unfinished = true;
			}
			starts.save();
			this.database.save(transitions);
			limited = !this.keys.isEmpty();
			this.looked += limited ? rows.size() : 0;
			this.unfinished |= this.looked >= MOST_LIMITED && this.taken < count;
		}
	}

	private List<JobRow> next(String queue, int most) {
		if (this.tenant == null && this.database.options().shares().isEnabled()) {
			return new FetchTurns(this.database, this.handled).next(queue, most);
		}
		return this.database.jdbc()
			.query("select " + JobColumn.ALL_NAMES + " from ojs_job where queue = ? and in_line "
					+ "and blocked_by is null and state = 'available'"
					+ ((this.tenant != null) ? " and tenant = ?" : "") + this.handled.sql()
					+ " order by priority desc, enqueued_at, id limit ? for update skip locked", JobRows.ALL,
					parameters(queue, most));
	}

	private Object[] parameters(String queue, int most) {
		List<Object> parameters = new ArrayList<>(List.of(queue));
		if (this.tenant != null) {
			parameters.add(this.tenant);
		}
		parameters.addAll(this.handled.parameters());
		parameters.add(most);
		return parameters.toArray();
	}

	private Map<JobRow, EncodedJob> readable(List<JobRow> rows, Transitions transitions) {
		Map<JobRow, EncodedJob> readable = new LinkedHashMap<>();
		for (JobRow row : rows) {
			try {
				readable.put(row, this.database.codec().encoded(row));
			}
			catch (UndecodableJobException | InvalidJobException ex) {
				transitions.bury(row, unreadable(row, ex));
				this.found = true;
			}
		}
		return readable;
	}

	private void take(Map<JobRow, EncodedJob> rows, int count, Transitions transitions, Starts starts) {
		for (Map.Entry<JobRow, EncodedJob> each : rows.entrySet()) {
			if (this.taken < count && !this.full) {
				take(each.getKey(), each.getValue(), transitions, starts);
			}
		}
	}

	private void take(JobRow row, EncodedJob known, Transitions transitions, Starts starts) {
		boolean limited = starts.isLimited(row, known.job());
		if (!this.taking.wants(row, limited, this.taken)) {
			this.full = true;
			return;
		}
		// The statement that has found it has asked whether the worker can run it.
		if (!(starts.decide(row, known.job(), HandledJobs.ALL) instanceof Decision.Start)) {
			this.found |= row.state.isTerminal();
			return;
		}
		this.taking.take(row, known, limited, transitions);
		this.taken++;
		FairShares shares = this.database.options().shares();
		if (this.tenant == null && row.tenant != null && shares.isEnabled()) {
			// Not those that were looked at: the next fetch begins behind who was served.
			shares.serve(row.queue, row.tenant);
		}
	}

	private void expire(JobRow row, Transitions transitions) {
		transitions.expire(row);
		this.found = true;
	}

	private JobError unreadable(JobRow row, Exception failure) {
		return new JobError(failure.getClass().getName(), JobError.INVALID_PAYLOAD,
				String.valueOf(failure.getMessage()), row.attempt, Rfc3339.utc(this.now), List.of(), Map.of());
	}

	private boolean isExpired(JobRow row) {
		return row.expiresAt != null && row.expiresAt.isBefore(this.now);
	}

	/**
	 * What becomes of jobs that may start.
	 */
	interface Taking {

		/**
		 * Whether the worker wants a job now. If not, it wants none of those behind it.
		 * @param row the job, available
		 * @param limited whether a limit counts it
		 * @param taken how many it has taken
		 */
		default boolean wants(JobRow row, boolean limited, int taken) {
			return true;
		}

		/** Starts the job. */
		void take(JobRow row, EncodedJob known, boolean limited, Transitions transitions);

	}

}
