package io.ojs.engine;

import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.ojs.client.EncodedJob;
import io.ojs.job.HandledJobs;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.Rfc3339;
import io.ojs.json.UndecodableJobException;

/**
 * One fetch, within its transaction: takes jobs from the line of a queue and decides
 * which of them start.
 */
public final class Fetching {

	/** What is due beyond that becomes available at the next fetch, or by the relay. */
	private static final int DUE = 500;

	/** How many are looked at together where most have to wait for a limit. */
	private static final int LIMITED = 100;

	/** After so many of them, others may have the locks. */
	private static final int MOST_LIMITED = 500;

	private final JobTable table;

	private final Line line;

	private final Taking taking;

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

	/**
	 * Creates a fetch.
	 * @param table keeps the jobs
	 * @param line the jobs that the worker can run
	 * @param taking what becomes of jobs that may start
	 * @param now the present
	 */
	public Fetching(JobTable table, Line line, Taking taking, Instant now) {
		this.table = table;
		this.line = line;
		this.taking = taking;
		this.now = Times.micros(now);
	}

	/**
	 * Takes what it can. If that is less than there is, {@link #isUnfinished()}.
	 * @param queues the queues, in the order in which they are asked
	 * @param count how many jobs at most
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
	 * Whether it found something: jobs to take, or jobs that have ended.
	 * @return whether it did
	 */
	public boolean hasFound() {
		return this.found || this.taken > 0;
	}

	/**
	 * Whether it stopped early, so that other transactions need not wait for its locks.
	 * @return whether it did
	 */
	public boolean isUnfinished() {
		return this.unfinished;
	}

	/**
	 * Whether it stopped before jobs that are available.
	 * @return whether it did
	 */
	public boolean hasLeft() {
		return this.full || this.unfinished;
	}

	/**
	 * Makes jobs available that are due: they compete with those that were available
	 * before.
	 * @param queue the queue
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
	 * @param queue the queue
	 * @param count how many at most, those included that it has taken before
	 */
	public void take(String queue, int count) {
		boolean limited = false;
		while (this.taken < count && !this.unfinished && !this.full) {
			// Rows that others have locked are theirs, so this is exact for who is alone.
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
		// The statement that has found it has asked whether the worker can run it.
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
	 * What becomes of jobs that may start.
	 */
	public interface Taking {

		/**
		 * Whether the worker wants a job now. If not, it wants none of those behind it.
		 * @param row the job, available
		 * @param limited whether a limit counts it
		 * @param taken how many it has taken
		 * @return whether it wants the job
		 */
		default boolean wants(JobRow row, boolean limited, int taken) {
			return true;
		}

		/**
		 * Starts the job.
		 * @param row its row
		 * @param known the job
		 * @param limited whether a limit counts it
		 * @param transitions is told that it starts
		 */
		void take(JobRow row, EncodedJob known, boolean limited, Transitions transitions);

	}

}
