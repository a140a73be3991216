package io.ojs.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;

import io.ojs.client.EncodedJob;
import io.ojs.engine.Decision;
import io.ojs.engine.JobRow;
import io.ojs.engine.Starts;
import io.ojs.engine.Times;
import io.ojs.engine.Transitions;
import io.ojs.job.HandledJobs;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.Rfc3339;
import io.ojs.json.UndecodableJobException;
import io.ojs.store.Lease;
import io.ojs.store.StoredJob;
import io.ojs.worker.FetchedJob;
import io.ojs.worker.Reservation;
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

	private final String worker;

	/** Whose jobs alone are wanted. */
	private final @Nullable String tenant;

	/** What alone the worker can run. */
	private final HandledCondition handled;

	private final Instant now;

	private final Function<StoredJob, Reservation> reservations;

	private final List<FetchedJob> jobs = new ArrayList<>();

	/** Whether jobs have ended instead of being taken. */
	private boolean found;

	/** The limits that are locked. */
	private final SortedSet<String> keys = new TreeSet<>(JobLimits.ORDER);

	/** How many rows of limited queues it has looked at. */
	private int looked;

	private boolean unfinished;

	Fetching(StoreDatabase database, String worker, @Nullable String tenant, HandledCondition handled, Instant now,
			Function<StoredJob, Reservation> reservations) {
		this.database = database;
		this.worker = worker;
		this.tenant = tenant;
		this.handled = handled;
		this.now = now;
		this.reservations = reservations;
	}

	/**
	 * Takes what it can.
	 * @return it; if that is less than there is, {@link #isUnfinished()}
	 */
	List<FetchedJob> fetch(List<String> queues, int count) {
		for (String queue : queues) {
			if (this.jobs.size() < count && !this.unfinished) {
				makeAvailable(queue);
				take(queue, count);
			}
		}
		return this.jobs;
	}

	/** Whether it found something: jobs to take, or jobs that have ended. */
	boolean hasFound() {
		return this.found || !this.jobs.isEmpty();
	}

	/** Whether it stopped early, so that nobody has to wait for its locks. */
	boolean isUnfinished() {
		return this.unfinished;
	}

	/** What is due competes with what has been available before. */
	private void makeAvailable(String queue) {
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

	private void take(String queue, int count) {
		boolean limited = false;
		while (this.jobs.size() < count && !this.unfinished) {
			// Rows that others have locked are theirs, so this is exact for who is alone.
			int wanted = count - this.jobs.size();
			int most = limited ? Math.max(wanted, LIMITED) : wanted;
			List<JobRow> rows = next(queue, most);
			if (rows.isEmpty()) {
				return;
			}
			Transitions transitions = this.database.transitions(this.now);
			RateLimits limits = new RateLimits(this.database, this.now);
			Starts starts = new Starts(transitions, new JdbcStartGate(this.database, limits, this.now));
			Map<JobRow, EncodedJob> readable = readable(rows, transitions);
			Map<JobRow, Job> jobs = new LinkedHashMap<>();
			readable.forEach((row, known) -> jobs.put(row, known.job()));
			if (lock(jobs, limits)) {
				take(readable, count, transitions, starts);
			}
			starts.save();
			this.database.save(transitions);
			limited = !this.keys.isEmpty();
			this.looked += limited ? rows.size() : 0;
			this.unfinished |= this.looked >= MOST_LIMITED && this.jobs.size() < count;
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

	/**
	 * Locks what limits jobs, unless that would be before what it has locked already:
	 * others, who lock all at once and in order, might wait for this and this for them.
	 */
	private boolean lock(Map<JobRow, Job> jobs, RateLimits limits) {
		SortedSet<String> more = limits.keys(jobs);
		more.removeAll(this.keys);
		if (!more.isEmpty() && !this.keys.isEmpty() && !more.headSet(this.keys.last()).isEmpty()) {
			this.unfinished = true;
			return false;
		}
		this.keys.addAll(more);
		limits.lock(jobs);
		return true;
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
			if (this.jobs.size() < count) {
				take(each.getKey(), each.getValue(), transitions, starts);
			}
		}
	}

	private void take(JobRow row, EncodedJob known, Transitions transitions, Starts starts) {
		// The statement that has found it has asked whether the worker can run it.
		if (!(starts.decide(row, known.job(), HandledJobs.ALL) instanceof Decision.Start)) {
			this.found |= row.state.isTerminal();
			return;
		}
		Reservation reservation = this.reservations.apply(this.database.codec().stored(row, known));
		Duration retryDelay = (row.attempt > 0 && row.retryDelayMillis != null)
				? Duration.ofMillis(row.retryDelayMillis) : null;
		transitions.start(row, this.worker, reservation.lease(), reservation.timeout());
		this.jobs.add(new FetchedJob(this.database.codec().stored(row, known), new Lease(row.id.toString(), row.run),
				retryDelay));
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

}
