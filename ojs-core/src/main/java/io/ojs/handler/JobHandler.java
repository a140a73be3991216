package io.ojs.handler;

import org.jspecify.annotations.Nullable;

/**
 * Works jobs of a type.
 */
@FunctionalInterface
public interface JobHandler {

	/**
	 * Works a job.
	 * @param context the job and its attempt
	 * @return the result of the job, a value that JSON can represent, or {@code null}
	 * @throws JobFailedException to set the type and details of the error, or to overrule
	 * the retry policy
	 * @throws Exception any other exception fails the attempt too
	 */
	@Nullable Object handle(JobContext context) throws Exception;

}
