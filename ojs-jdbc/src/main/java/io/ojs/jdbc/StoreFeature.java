package io.ojs.jdbc;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

import io.ojs.engine.JobRow;
import io.ojs.engine.StartGate;
import io.ojs.engine.Transitions;
import io.ojs.job.Job;

/**
 * A feature that takes part in state transitions of jobs, in their transaction. Each
 * {@link StoreDatabase} has one of its own. Internal: it changes with the store.
 */
public interface StoreFeature {

	/**
	 * Whether it has to be asked when a job is inserted or starts. All others may do so
	 * by one statement.
	 * @param row the row of the job
	 * @param job the job
	 * @return whether it has
	 */
	default boolean concerns(JobRow row, Job job) {
		return false;
	}

	/**
	 * Decides how jobs wait that are about to be inserted.
	 * @param jobs the jobs, whose rows are written afterwards
	 * @param transitions what becomes of them
	 */
	default void inserting(Map<JobRow, Job> jobs, Transitions transitions) {
	}

	/**
	 * What decides which jobs start at one moment.
	 * @param now the moment
	 * @return the gate, for one transaction, if there is one
	 */
	default Optional<StartGate> gate(Instant now) {
		return Optional.empty();
	}

	/**
	 * Writes what it keeps of jobs that have changed.
	 * @param transitions what has become of them, written already
	 */
	default void within(Transitions transitions) {
	}

}
