package io.ojs.internal.engine;

import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.ojs.client.internal.EncodedJob;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.UndecodableJobException;
import io.ojs.job.internal.HandledJobs;
import io.ojs.job.internal.Rfc3339;

/**
 * One fetch, within its transaction: locks the next jobs of a queue and decides which of
 * them start.
 */
public final class Fetching {

	/**
	 * The most due jobs that one fetch makes available; the next fetch or the relay does
	 * so with the others.
	 */
	private static final int DUE = 500;

	/** How many jobs to look at together if limits make most of them wait. */
	private static final int LIMITED = 100;

	/** How many jobs to look at before other transactions get the locks. */
	private static final int MOST_LIMITED = 500;

	private final JobTable table;

	private final Line line;

	private final Taking taking;

	private final Instant now;

	private int taken;

	/** Whether jobs have ended instead of being taken. */
	private boolean found;

	/** The keys of the limits that are locked. */
	private final Set<String> keys = new HashSet<>();

	/** The number of rows of limited queues that were looked at. */
	private int looked;

	private boolean unfinished;

	/** Whether the worker does not want the next job now. */
	private boolean full;

	public Fetching(JobTable table, Line line, Taking taking, Instant now) {
		this.table = table;
		this.line = line;
		this.taking = taking;
		this.now = Times.micros(now);
	}

	/**
	 * Takes as many jobs as it can. If locks do not let it take more,
	 * {@link #isUnfinished()} is {@code true}.
	 * @param queues the queues, in the order in which they are asked
	 */
	public void fetch(List<String> queues, int count) {
		for (String queue : queues) {
			if (this.taken < count && !this.unfinished) {
				makeAvailable(queue);
				take(queue, count);
			}
		}
	}

	/**
	 * Whether the fetch has taken jobs or ended some.
	 * @return whether it has
	 */
	public boolean hasFound() {
		return this.found || this.taken > 0;
	}

	/**
	 * Whether the fetch stopped early, so that other transactions do not wait for its
	 * locks.
	 * @return whether it has
	 */
	public boolean isUnfinished() {
		return this.unfinished;
	}

	/**
	 * Whether the fetch stopped although jobs may be available.
	 * @return whether it has
	 */
	public boolean hasLeft() {
		return this.full || this.unfinished;
	}

	/**
	 * Makes due jobs available, so that they compete with jobs that have been available
	 * before.
	 */
	public void makeAvailable(String queue) {
		List<JobRow> due = this.line.due(queue, this.now, DUE);
		if (due.isEmpty()) {
			return;
		}
		Transitions transitions = this.table.transitions(this.now);
		for (JobRow row : due) {
			if (isExpired(row)) {
				expire(row, transitions);
				continue;
			}
			transitions.makeAvailable(row, row.relayAt);
		}
		this.table.save(transitions);
	}

	/**
	 * Takes jobs of a queue.
	 * @param count the largest number of jobs, including those that this fetch took
	 * before
	 */
	public void take(String queue, int count) {
		boolean limited = false;
		while (this.taken < count && !this.unfinished && !this.full) {
			// The query skips rows that other transactions have locked, so without limits
			// it need not ask for more rows than wanted.
			int wanted = count - this.taken;
			int most = limited ? Math.max(wanted, LIMITED) : wanted;
			List<JobRow> rows = this.line.next(queue, most);
			if (rows.isEmpty()) {
				return;
			}
			Transitions transitions = this.table.transitions(this.now);
			StartGate gate = this.table.gate(this.now);
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
			this.table.save(transitions);
			limited = !this.keys.isEmpty();
			this.looked += limited ? rows.size() : 0;
			this.unfinished |= this.looked >= MOST_LIMITED && this.taken < count;
		}
	}

	private Map<JobRow, EncodedJob> readable(List<JobRow> rows, Transitions transitions) {
		Map<JobRow, EncodedJob> readable = new LinkedHashMap<>();
		for (JobRow row : rows) {
			try {
				readable.put(row, this.table.codec().encoded(row));
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
		// The query has already excluded versions that the worker cannot run.
		if (!(starts.decide(row, known.job(), HandledJobs.ALL) instanceof Decision.Start)) {
			this.found |= row.state.isTerminal();
			return;
		}
		this.taking.take(row, known, limited, transitions);
		this.taken++;
		this.line.taken(row);
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
	 * Starts the jobs of a fetch for one kind of worker.
	 */
	public interface Taking {

		/**
		 * Whether the worker wants a job now. If not, the fetch stops before this job.
		 * @param limited whether the job has a place under a limit while it runs
		 * @param taken the number of jobs that this fetch has taken
		 * @return whether it wants the job
		 */
		default boolean wants(JobRow row, boolean limited, int taken) {
			return true;
		}

		/**
		 * Starts the job.
		 * @param limited whether the job has a place under a limit while it runs
		 */
		void take(JobRow row, EncodedJob known, boolean limited, Transitions transitions);

	}

}
