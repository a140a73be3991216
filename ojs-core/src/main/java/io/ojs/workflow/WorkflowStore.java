package io.ojs.workflow;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.ojs.client.EncodedJob;
import io.ojs.job.Job;

/**
 * Keeps workflows beside their jobs. Every method is one transaction, or part of the
 * caller's if there is one.
 *
 * <p>
 * Whatever ends a job that was {@link #attach attached} to a workflow adds a
 * {@link StepEnd} in the transaction that ends it.
 */
public interface WorkflowStore {

	/**
	 * Keeps a workflow.
	 * @param workflow the workflow
	 * @param jobs its jobs by their numbers, none of which is enqueued
	 */
	void insert(StoredWorkflow workflow, List<EncodedJob> jobs);

	/**
	 * Looks a workflow up.
	 * @param id its id
	 * @return the workflow; empty if there is none, or no longer
	 */
	Optional<StoredWorkflow> find(String id);

	/**
	 * Looks workflows up.
	 * @param query which ones
	 * @return the workflows, the newest first
	 */
	List<StoredWorkflow> list(WorkflowQuery query);

	/**
	 * Looks up what has become of the jobs of a workflow.
	 * @param id the workflow
	 * @return its jobs by their numbers, those too that are not enqueued
	 */
	List<StepJob> jobs(String id);

	/**
	 * Finds workflows that have to go on.
	 * @param limit how many at most
	 * @return their ids, those first that have waited longest
	 */
	List<String> due(int limit);

	/**
	 * Locks a workflow until the end of the transaction.
	 * @param id its id
	 * @param patient whether to wait for somebody else who has it
	 * @return the workflow; empty if there is none, or somebody else has it
	 */
	Optional<StoredWorkflow> lock(String id, boolean patient);

	/**
	 * Takes the ends of jobs of a workflow that is locked.
	 * @param id its id
	 * @return those that are committed, in the order in which they were noted
	 */
	List<StepEnd> takeEnds(String id);

	/**
	 * Makes a workflow due once more, though none of its jobs has ended.
	 * @param id its id
	 * @param now the present
	 */
	void goOn(String id, Instant now);

	/**
	 * Reads jobs that are to be enqueued.
	 * @param id the workflow
	 * @param numbers which jobs
	 * @return the jobs by their numbers, as they were when the workflow was kept
	 */
	Map<Integer, Job> templates(String id, Collection<Integer> numbers);

	/**
	 * Reads results.
	 * @param id the workflow
	 * @param numbers which jobs
	 * @return what their handlers returned; nothing for those that have not completed
	 */
	Map<Integer, StepResult> results(String id, Collection<Integer> numbers);

	/**
	 * Says that jobs belong to a workflow. In the transaction that enqueues them.
	 * @param id the workflow
	 * @param jobIds the ids of the jobs by their numbers
	 */
	void attach(String id, Map<Integer, String> jobIds);

	/**
	 * Writes how far a workflow is that is locked: its state, progress, failures and
	 * times.
	 * @param workflow the workflow
	 */
	void update(StoredWorkflow workflow);

	/**
	 * Appends to the feed of events.
	 * @param events what happened
	 * @param now when
	 */
	void append(List<WorkflowEvent> events, Instant now);

	/**
	 * Asks to be told when this process has committed the end of a job of a workflow.
	 * @param listener is called by whoever ends jobs, so it must not wait for anybody
	 */
	void whenDue(Runnable listener);

}
