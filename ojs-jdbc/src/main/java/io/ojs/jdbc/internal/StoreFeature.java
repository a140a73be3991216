package io.ojs.jdbc.internal;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.ojs.internal.engine.JobRow;
import io.ojs.internal.engine.StartGate;
import io.ojs.internal.engine.Transitions;
import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * A feature that takes part in state transitions of jobs, in their transaction. Each
 * {@link StoreDatabase} has an instance of its own. Internal: it changes with the store.
 */
public interface StoreFeature {

	/**
	 * Returns whether the store has to ask this feature when a job is inserted or starts.
	 * It inserts and starts all other jobs with one statement.
	 * @return whether it has to
	 */
	default boolean concerns(JobRow row, Job job) {
		return false;
	}

	/**
	 * Returns the labels of a job that the store is about to insert.
	 * @return the labels; the store writes them with the job
	 */
	default List<String> labels(Job job) {
		return List.of();
	}

	/**
	 * Decides how jobs wait that the store is about to insert.
	 * @param jobs the jobs; the store writes their rows afterwards
	 */
	default void inserting(Map<JobRow, Job> jobs, Transitions transitions) {
	}

	/**
	 * Writes what this feature keeps about the content of a job that another producer has
	 * enqueued, or whose content was replaced.
	 * @param row the job with its new envelope
	 * @param before what the job was; {@code null} if it is new to the store
	 */
	default void contentChanged(JobRow row, @Nullable Job before) {
	}

	/**
	 * Returns the gate that decides which jobs start at one moment.
	 * @return the gate, for one transaction; empty if this feature has none
	 */
	default Optional<StartGate> gate(Instant now) {
		return Optional.empty();
	}

	/**
	 * Writes what this feature keeps about jobs that have changed.
	 * @param transitions the transitions of the jobs, which the store has written
	 */
	default void within(Transitions transitions) {
	}

}
