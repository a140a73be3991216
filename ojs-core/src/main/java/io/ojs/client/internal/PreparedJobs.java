package io.ojs.client.internal;

import java.util.Collection;
import java.util.List;

import io.ojs.client.EnqueueException;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;

/**
 * Enqueues jobs that have passed all middleware and were stored since, such as the steps
 * of a workflow.
 */
@FunctionalInterface
public interface PreparedJobs {

	/**
	 * Enqueues all jobs or none.
	 * @param requests the stored fields, and those that were added to them
	 * @return the jobs as they were enqueued, in the same order
	 * @throws EnqueueException if one of them is not known to be safe
	 */
	List<Job> enqueueAgain(Collection<JobRequest> requests);

}
