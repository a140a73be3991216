package io.ojs.middleware;

import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * Sees each job before it is sent (OJS Middleware §3), on the thread of the caller. Must
 * be thread-safe.
 */
@FunctionalInterface
public interface EnqueueMiddleware {

	/**
	 * Processes a job that is about to be sent. It may change the type, queue, arguments,
	 * metadata, priority, timeout, times, policies and extensions, which are checked
	 * again. It must not change the id. Changes of other fields are ignored.
	 * @param job the job
	 * @return the same job or a changed one; {@code null} to drop the job: it is not
	 * sent, and no error is raised
	 * @throws JobRejectedException if the application rejects the job. The caller gets
	 * this and any other exception, and neither the job nor others of its batch are sent
	 */
	@Nullable Job enqueue(Job job);

}
