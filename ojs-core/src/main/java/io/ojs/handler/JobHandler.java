package io.ojs.handler;

import org.jspecify.annotations.Nullable;

/**
 * Works jobs of one type.
 */
@FunctionalInterface
public interface JobHandler {

	/**
	 * Works a job.
	 * @param context the job and what can be done about it
	 * @return the result of the job, a value that JSON can carry, or {@code null}
	 * @throws JobFailedException to fail with a type, code and details of the handler's
	 * choice
	 * @throws Exception anything else is a failed attempt too
	 */
	@Nullable Object handle(JobContext context) throws Exception;

}
