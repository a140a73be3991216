package io.ojs.middleware;

import io.ojs.handler.JobContext;
import org.jspecify.annotations.Nullable;

/**
 * Stands around each attempt (OJS Middleware §4), on the thread of the handler. Used by
 * many threads at a time.
 */
@FunctionalInterface
public interface ExecutionMiddleware {

	/**
	 * Runs what it is around.
	 * @param context the attempt
	 * @param next what it is around: other middleware, and in the end the handler
	 * @return the result of the job, as a rule what {@code next} returned
	 * @throws Exception what {@code next} threw, or a failure of its own: the attempt has
	 * failed. Whoever catches what {@code next} throws and returns says that it has
	 * succeeded
	 */
	@Nullable Object execute(JobContext context, Next next) throws Exception;

	/**
	 * What a middleware is around.
	 */
	@FunctionalInterface
	interface Next {

		/**
		 * Runs it.
		 * @param context the attempt, as those further in are to see it
		 * @return the result of the job
		 * @throws Exception if it failed
		 */
		@Nullable Object proceed(JobContext context) throws Exception;

	}

}
