package io.ojs.middleware;

import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * Sees each job before it is sent (OJS Middleware §3), on the thread of whoever enqueues
 * it. Used by many threads at a time.
 */
@FunctionalInterface
public interface EnqueueMiddleware {

	/**
	 * Looks at a job that is about to be sent. Its type, queue, arguments, metadata,
	 * priority, timeout, times, policies and extensions may be changed, and are checked
	 * again; its id must stay, and what else it has is not looked at.
	 * @param job the job
	 * @return the job to go on with, the same or another; {@code null} to drop it, so
	 * that it is not sent and nobody gets an error
	 * @throws JobRejectedException if the job is not wanted. Like any exception, it
	 * reaches whoever enqueues the job, and neither this job nor any of its batch is sent
	 */
	@Nullable Job enqueue(Job job);

}
