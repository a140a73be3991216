package io.ojs.internal.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.job.internal.HandledJobs;

/**
 * Decides which jobs start, in one transaction, for claims and fetches. Plain jobs whose
 * rows are as expected start by a single statement instead, whose condition has the same
 * rules.
 */
public final class Starts {

	private final Transitions transitions;

	private final StartGate gate;

	private final List<JobRow> started = new ArrayList<>();

	/**
	 * Creates the decision for one transaction.
	 * @param transitions applies transitions to jobs that do not start
	 */
	public Starts(Transitions transitions, StartGate gate) {
		this.transitions = transitions;
		this.gate = gate;
	}

	/**
	 * Locks what decisions about some jobs depend on. To be called before
	 * {@link #decide}.
	 */
	public void lock(Map<JobRow, Job> jobs) {
		this.gate.lock(jobs);
	}

	/**
	 * Decides about a job that is due. If the job does not start, its row is in its new
	 * state.
	 * @param handled the jobs that the worker can run
	 * @return the decision; if it is {@link Decision#START}, the caller starts the job
	 */
	public Decision decide(JobRow row, Job job, HandledJobs handled) {
		if (row.expiresAt != null && row.expiresAt.isBefore(this.transitions.now())) {
			this.transitions.expire(row);
			return Decision.EXPIRED;
		}
		// For an adopted job, the attempt in the message of its producer counts.
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
	 * @return whether another job gets the place when this one ends
	 */
	public boolean isLimited(JobRow row, Job job) {
		return this.gate.isLimited(row, job);
	}

	/**
	 * Writes the decisions.
	 */
	public void save() {
		this.gate.save(this.started);
	}

}
