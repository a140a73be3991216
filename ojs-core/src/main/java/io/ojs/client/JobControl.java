package io.ojs.client;

import java.util.Optional;

import io.ojs.job.IllegalStateTransitionException;
import io.ojs.job.Job;

/**
 * Asks for what is already enqueued: {@link OjsOperations#cancel} and
 * {@link OjsOperations#find}.
 */
public interface JobControl {

	/**
	 * Asks for a job to be cancelled.
	 * @param queue the queue of the job, a valid one
	 * @param jobId the id of the job, a valid one
	 * @throws ControlException if the request is not known to be safe
	 */
	void cancel(String queue, String jobId);

	/**
	 * Asks about a job.
	 * @param queue the queue of the job, a valid one
	 * @param jobId the id of the job, a valid one
	 * @return the job with its state; empty if nobody knows it
	 * @throws ControlException if nobody could be asked
	 */
	Optional<Job> find(String queue, String jobId);

	/**
	 * Looks a job up wherever it is.
	 * @param jobId the id of the job, a valid one
	 * @return the job with its state; empty if there is none
	 * @throws JobStoreRequiredException if there is no job store
	 */
	default Optional<Job> find(String jobId) {
		throw new JobStoreRequiredException("Finding a job by its id alone");
	}

	/**
	 * Cancels a job wherever it is.
	 * @param jobId the id of the job, a valid one
	 * @return the job, cancelled; empty if there is none
	 * @throws IllegalStateTransitionException if it has ended
	 * @throws JobStoreRequiredException if there is no job store
	 */
	default Optional<Job> cancel(String jobId) {
		throw new JobStoreRequiredException("Cancelling a job by its id alone");
	}

	/**
	 * Makes a pending job available.
	 * @param jobId the id of the job, a valid one
	 * @return the job, available; empty if there is none
	 * @throws IllegalStateTransitionException if it is not pending
	 * @throws JobStoreRequiredException if there is no job store
	 */
	default Optional<Job> activate(String jobId) {
		throw new JobStoreRequiredException("Activating a job");
	}

}
