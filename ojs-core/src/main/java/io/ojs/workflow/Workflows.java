package io.ojs.workflow;

import java.util.List;
import java.util.Optional;

import io.ojs.OjsException;

/**
 * Starts, finds, lists and cancels workflows (OJS Workflows §11). Safe for use by many
 * threads. Each method is part of the caller's transaction if there is one.
 */
public interface Workflows {

	/**
	 * Starts a workflow. Enqueues the jobs that can begin, and keeps the others.
	 * @param workflow the workflow
	 * @return the started workflow
	 * @throws InvalidWorkflowException if the workflow or one of its jobs breaks a rule;
	 * nothing was started
	 * @throws OjsException if one of the first jobs cannot be enqueued; nothing was
	 * started
	 */
	WorkflowRun start(Workflow workflow);

	/**
	 * Finds a workflow.
	 * @param id its id
	 * @return the workflow; empty if it does not exist, or no longer
	 */
	Optional<WorkflowRun> find(String id);

	/**
	 * Lists workflows.
	 * @param query the conditions
	 * @return the workflows, the newest first
	 */
	List<WorkflowRun> list(WorkflowQuery query);

	/**
	 * Cancels a workflow: waiting jobs are cancelled, active jobs are interrupted, and
	 * jobs that are not enqueued yet never are, including callbacks.
	 * @param id its id
	 * @return the workflow, cancelled; empty if it does not exist
	 * @throws IllegalWorkflowStateException if it has ended
	 */
	Optional<WorkflowRun> cancel(String id);

}
