package io.ojs.amqp.publish;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.ojs.client.EncodedJob;
import io.ojs.client.EnqueueException;
import io.ojs.job.Job;

/**
 * How a job gets safe.
 */
public interface EnqueueStrategy {

	/**
	 * Makes a job safe and waits until it is.
	 * @param job the job
	 * @return the job as it was enqueued
	 * @throws EnqueueException if it is not known to be safe
	 */
	Job enqueue(EncodedJob job);

	/**
	 * Makes jobs safe and waits until they are.
	 * @param jobs the jobs, at least one
	 * @return the jobs as they were enqueued, in the same order
	 * @throws EnqueueException if some of them are not known to be safe
	 */
	List<Job> enqueueAll(List<EncodedJob> jobs);

	/**
	 * Makes a job safe.
	 * @param job the job
	 * @return the job as it was enqueued, or an {@link EnqueueException}
	 */
	CompletableFuture<Job> enqueueAsync(EncodedJob job);

}
