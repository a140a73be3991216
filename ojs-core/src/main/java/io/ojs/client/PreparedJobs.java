package io.ojs.client;

import java.util.Collection;
import java.util.List;

import io.ojs.job.Job;
import io.ojs.job.JobRequest;

/**
 * Enqueues jobs that have passed everything that comes before sending, and were kept
 * since.
 */
@FunctionalInterface
public interface PreparedJobs {

	/**
	 * Enqueues jobs: all of them, or none.
	 * @param requests all that the kept ones have, and what was added to them
	 * @return the jobs as they were enqueued, in the same order
	 * @throws EnqueueException if one of them is not known to be safe
	 */
	List<Job> enqueueAgain(Collection<JobRequest> requests);

}
