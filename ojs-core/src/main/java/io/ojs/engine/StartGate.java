package io.ojs.engine;

import java.util.Collection;
import java.util.Map;
import java.util.Set;

import io.ojs.job.HandledJobs;
import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * Says which jobs may not start although they are due, in one transaction: those that a
 * limit holds back, and those of versions that the worker cannot run. {@link Starts} asks
 * it last.
 */
public interface StartGate {

	/**
	 * Locks what deciding about some jobs asks, all at once and in one order.
	 * @param jobs the jobs, whose rows are locked
	 */
	default void lock(Map<JobRow, Job> jobs) {
	}

	/**
	 * Locks what deciding about more jobs asks, unless that would be before what is
	 * locked already: others, who lock all at once and in order, might wait for this and
	 * this for them.
	 * @param jobs the jobs, whose rows are locked
	 * @param locked the names of what the transaction has locked so far, to which it adds
	 * @return whether all is locked that has to be
	 */
	default boolean lockMore(Map<JobRow, Job> jobs, Set<String> locked) {
		return true;
	}

	/**
	 * Decides about a job that starts unless it is refused here. The row of a refused job
	 * is in its new state already.
	 * @param row its row
	 * @param job the job
	 * @param handled which jobs the worker can run
	 * @param transitions is told what becomes of a job that is refused
	 * @return why it does not start; {@code null} if it does, and is counted
	 */
	@Nullable Decision refuse(JobRow row, Job job, HandledJobs handled, Transitions transitions);

	/**
	 * Whether a job has a place under a limit while it runs.
	 * @param row its row
	 * @param job the job
	 * @return whether another job gets its place when it ends
	 */
	default boolean isLimited(JobRow row, Job job) {
		return false;
	}

	/**
	 * Writes what was decided.
	 * @param started the rows of jobs that start
	 */
	default void save(Collection<JobRow> started) {
	}

}
