package io.ojs.internal.engine;

import java.util.Collection;
import java.util.Map;
import java.util.Set;

import io.ojs.job.Job;
import io.ojs.job.internal.HandledJobs;
import org.jspecify.annotations.Nullable;

/**
 * Decides, in one transaction, which due jobs may not start: those that a limit holds
 * back, and those of a version that the worker cannot run. {@link Starts} asks it last.
 */
public interface StartGate {

	/** Locks what decisions about some jobs depend on, all at once and in one order. */
	default void lock(Map<JobRow, Job> jobs) {
	}

	/**
	 * Locks what decisions about more jobs depend on. Refuses if its place in the order
	 * of locks is before something that is locked already: another transaction that locks
	 * in this order might cause a deadlock.
	 * @param locked the names that this transaction has locked so far; extended by this
	 * method
	 * @return whether everything is locked
	 */
	default boolean lockMore(Map<JobRow, Job> jobs, Set<String> locked) {
		return true;
	}

	/**
	 * Decides about a job that starts unless this gate refuses it. If the gate refuses,
	 * it changes the row to its new state.
	 * @param handled the jobs that the worker can run
	 * @param transitions applies the transition of a refused job
	 * @return why the job does not start; {@code null} if it starts, and limits count it
	 */
	@Nullable Decision refuse(JobRow row, Job job, HandledJobs handled, Transitions transitions);

	/**
	 * Whether a job has a place under a limit while it runs.
	 * @return whether another job gets the place when this one ends
	 */
	default boolean isLimited(JobRow row, Job job) {
		return false;
	}

	/** Writes the decisions. */
	default void save(Collection<JobRow> started) {
	}

}
