package io.ojs.client;

import java.util.Optional;

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

}
