package io.ojs.middleware;

import io.ojs.handler.JobContext;
import org.jspecify.annotations.Nullable;

/**
 * Wraps each attempt (OJS Middleware §4), on the thread of the handler. Must be
 * thread-safe.
 */
@FunctionalInterface
public interface ExecutionMiddleware {

	/**
	 * Runs the wrapped middleware and handler.
	 * @param context the context of the attempt
	 * @param next the wrapped middleware and, innermost, the handler
	 * @return the result of the job, usually the one that {@code next} returned
	 * @throws Exception the exception of {@code next}, or another one; the attempt has
	 * failed. If a middleware catches the exception of {@code next} and returns, the
	 * attempt has succeeded
	 */
	@Nullable Object execute(JobContext context, Next next) throws Exception;

	/**
	 * The rest of the chain: inner middleware and the handler.
	 */
	@FunctionalInterface
	interface Next {

		/**
		 * Runs the rest of the chain.
		 * @param context the context for it, the same or a changed one
		 * @return the result of the job
		 * @throws Exception if the attempt failed
		 */
		@Nullable Object proceed(JobContext context) throws Exception;

	}

}
