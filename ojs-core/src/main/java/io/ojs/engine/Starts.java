package io.ojs.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.ojs.job.HandledJobs;
import io.ojs.job.Job;
import io.ojs.job.JobState;

/**
 * Decides which jobs start, in one transaction, for claims and fetches. Plain jobs whose
 * rows are as expected start by one statement, whose condition says the same.
 */
public final class Starts {

	private final Transitions transitions;

	private final StartGate gate;

	private final List<JobRow> started = new ArrayList<>();

	/**
	 * Creates it.
	 * @param transitions is told what becomes of jobs that do not start
	 * @param gate holds jobs back that are due
	 */
	public Starts(Transitions transitions, StartGate gate) {
		this.transitions = transitions;
		this.gate = gate;
	}

	/**
	 * Locks what deciding about some jobs asks. Has to be called before.
	 * @param jobs the jobs, whose rows are locked
	 */
	public void lock(Map<JobRow, Job> jobs) {
		this.gate.lock(jobs);
	}

	/**
	 * Decides about a job that is due. If it does not start, its row is in its new state
	 * already.
	 * @param row its row
	 * @param job the job
	 * @param handled which jobs the worker can run
	 * @return the decision; if it is {@link Decision#START}, the caller has it start
	 */
	public Decision decide(JobRow row, Job job, HandledJobs handled) {
		if (row.expiresAt != null && row.expiresAt.isBefore(this.transitions.now())) {
			this.transitions.expire(row);
			return Decision.EXPIRED;
		}
		// What another producer's message says about its attempt counts, if it is the
		// first
		// that the store hears of the job.
		if (row.attempt >= row.maxAttempts && !row.adopted) {
			this.transitions.cutOff(row);
			return Decision.EXHAUSTED;
		}
		if (row.state == JobState.SCHEDULED) {
			this.transitions.makeAvailable(row, null);
		}
		Decision refusal = this.gate.refuse(row, job, handled, this.transitions);
		if (refusal != null) {
			return refusal;
		}
		this.started.add(row);
		return Decision.START;
	}

	/**
	 * Whether a job has a place under a limit while it runs.
	 * @param row its row
	 * @param job the job
	 * @return whether another job gets its place when it ends
	 */
	public boolean isLimited(JobRow row, Job job) {
		return this.gate.isLimited(row, job);
	}

	/**
	 * Writes what was decided.
	 */
	public void save() {
		this.gate.save(this.started);
	}

}
