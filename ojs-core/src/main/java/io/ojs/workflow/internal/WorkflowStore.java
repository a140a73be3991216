package io.ojs.workflow.internal;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.ojs.client.internal.EncodedJob;
import io.ojs.job.Job;
import io.ojs.workflow.WorkflowEvent;
import io.ojs.workflow.WorkflowQuery;

/**
 * Keeps workflows beside their jobs. Every method is one transaction, or part of the
 * caller's if there is one.
 *
 * <p>
 * The transaction that ends a job which was {@link #attach attached} to a workflow adds a
 * {@link StepEnd}.
 */
public interface WorkflowStore {

	/**
	 * Inserts a workflow.
	 * @param jobs its jobs by their numbers; none is enqueued
	 */
	void insert(StoredWorkflow workflow, List<EncodedJob> jobs);

	/**
	 * Finds a workflow.
	 * @return the workflow; empty if it does not exist, or no longer
	 */
	Optional<StoredWorkflow> find(String id);

	/** Lists workflows. */
	List<StoredWorkflow> list(WorkflowQuery query);

	/**
	 * Lists the jobs of a workflow with their states.
	 * @return the jobs by their numbers, including those that are not enqueued
	 */
	List<StepJob> jobs(String id);

	/**
	 * Finds workflows that have to be advanced.
	 * @return their ids; workflows that have waited longest come first
	 */
	List<String> due(int limit);

	/**
	 * Locks a workflow until the end of the transaction.
	 * @param patient whether to wait for another transaction that has locked it
	 * @return the workflow; empty if it does not exist, or another transaction has locked
	 * it
	 */
	Optional<StoredWorkflow> lock(String id, boolean patient);

	/**
	 * Removes and returns the recorded ends of jobs of a locked workflow.
	 * @return the committed ends, in the order in which they were recorded
	 */
	List<StepEnd> takeEnds(String id);

	/** Makes a workflow due again, although none of its jobs has ended. */
	void goOn(String id, Instant now);

	/**
	 * Reads jobs that are to be enqueued.
	 * @return the jobs by their numbers, as they were inserted with the workflow
	 */
	Map<Integer, Job> templates(String id, Collection<Integer> numbers);

	/**
	 * Reads the results of jobs.
	 * @return the results of those that have completed, by their numbers
	 */
	Map<Integer, StepResult> results(String id, Collection<Integer> numbers);

	/**
	 * Records that jobs belong to a workflow, in the transaction that enqueues them.
	 * @param jobIds the ids of the jobs by their numbers
	 */
	void attach(String id, Map<Integer, String> jobIds);

	/** Writes the state, progress, failures and times of a locked workflow. */
	void update(StoredWorkflow workflow);

	/** Appends events to the event feed. */
	void append(List<WorkflowEvent> events, Instant now);

	/**
	 * Sets a listener that is called when this process has committed the end of a job of
	 * a workflow.
	 * @param listener called by threads that end jobs, so it must not wait
	 */
	void whenDue(Runnable listener);

}
