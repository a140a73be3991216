package io.ojs.client.internal;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.ojs.client.EnqueueException;
import io.ojs.job.Job;

/**
 * Makes jobs safe: by a confirm of the broker alone, or in a job store. In every case,
 * the strategy records the outcome in the span of the job and closes the span.
 */
public interface EnqueueStrategy {

	/**
	 * Makes a job safe and waits until it is.
	 * @throws EnqueueException if the job is not known to be safe
	 */
	Job enqueue(TracedJob job);

	/**
	 * Makes jobs safe and waits until they are.
	 * @return the jobs as they were enqueued, in the same order
	 * @throws EnqueueException if some of them are not known to be safe
	 */
	List<Job> enqueueAll(List<TracedJob> jobs);

	/**
	 * Makes a job safe.
	 * @return the job as it was enqueued, or an {@link EnqueueException}
	 */
	CompletableFuture<Job> enqueueAsync(TracedJob job);

}
