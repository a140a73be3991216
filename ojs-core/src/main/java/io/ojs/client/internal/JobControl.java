package io.ojs.client.internal;

import java.util.List;
import java.util.Optional;

import io.ojs.client.ControlException;
import io.ojs.client.JobStoreRequiredException;
import io.ojs.client.OjsOperations;
import io.ojs.job.IllegalStateTransitionException;
import io.ojs.job.Job;
import io.ojs.job.JobQuery;

/**
 * Cancels, finds and activates jobs that are already enqueued.
 * {@link OjsOperations#cancel} and {@link OjsOperations#find} call it.
 */
public interface JobControl {

	/**
	 * Requests that a job is cancelled.
	 * @param queue the queue of the job, a valid one
	 * @param jobId the id of the job, a valid one
	 * @throws ControlException if the request is not known to be safe
	 */
	void cancel(String queue, String jobId);

	/**
	 * Finds a job of a queue.
	 * @param queue the queue of the job, a valid one
	 * @param jobId the id of the job, a valid one
	 * @return the job with its state; empty if neither the job store nor a worker knows
	 * it
	 * @throws ControlException if the request failed
	 */
	Optional<Job> find(String queue, String jobId);

	/**
	 * Finds a job of any queue.
	 * @param jobId the id of the job, a valid one
	 * @return the job with its state; empty if there is none
	 * @throws JobStoreRequiredException if there is no job store
	 */
	default Optional<Job> find(String jobId) {
		throw new JobStoreRequiredException("Finding a job by its id alone");
	}

	/**
	 * Lists jobs.
	 * @return a page of jobs with their states, the newest first
	 * @throws JobStoreRequiredException if there is no job store
	 */
	default List<Job> list(JobQuery query) {
		throw new JobStoreRequiredException("Listing jobs");
	}

	/**
	 * Cancels a job of any queue.
	 * @param jobId the id of the job, a valid one
	 * @return the job, cancelled; empty if there is none
	 * @throws IllegalStateTransitionException if the job has ended
	 * @throws JobStoreRequiredException if there is no job store
	 */
	default Optional<Job> cancel(String jobId) {
		throw new JobStoreRequiredException("Cancelling a job by its id alone");
	}

	/**
	 * Makes a pending job available.
	 * @param jobId the id of the job, a valid one
	 * @return the job, available; empty if there is none
	 * @throws IllegalStateTransitionException if the job is not pending
	 * @throws JobStoreRequiredException if there is no job store
	 */
	default Optional<Job> activate(String jobId) {
		throw new JobStoreRequiredException("Activating a job");
	}

}
