package io.ojs.middleware;

import java.util.List;
import java.util.Map;

import io.ojs.crypto.JobEncryption;
import io.ojs.handler.ArgumentMismatchException;
import io.ojs.handler.JobContext;
import io.ojs.handler.JobHandler;
import org.jspecify.annotations.Nullable;

/**
 * What is around each attempt. Does not change any more. Safe for use by many threads.
 */
public final class ExecutionChain {

	/** The handler and nothing else. */
	public static final ExecutionChain EMPTY = new ExecutionChain(MiddlewareChain.ofExecution(), Map.of());

	private final List<String> names;

	private final List<ExecutionMiddleware> middleware;

	/**
	 * Creates it; the chain does not change any more.
	 * @param chain the order
	 * @param steps what the steps do, by their names; those that are not there do nothing
	 */
	public ExecutionChain(MiddlewareChain<ExecutionMiddleware> chain, Map<String, ExecutionMiddleware> steps) {
		List<MiddlewareChain.Link<ExecutionMiddleware>> links = chain.freeze();
		this.names = links.stream().map(MiddlewareChain.Link::name).toList();
		this.middleware = links.stream()
			.filter((link) -> link.middleware() != null || steps.containsKey(link.name()))
			.map((link) -> (link.middleware() != null) ? link.middleware() : steps.get(link.name()))
			.toList();
	}

	/**
	 * What is in the chain.
	 * @return the names, in order
	 */
	public List<String> names() {
		return this.names;
	}

	/**
	 * Makes an attempt.
	 * @param context the attempt
	 * @param handler works the job
	 * @return the result of the job
	 * @throws Exception if it failed
	 */
	public @Nullable Object execute(JobContext context, JobHandler handler) throws Exception {
		return execute(0, context, JobEncryption.isEncoded(context.job().args()) ? hiding(handler) : handler);
	}

	/** No middleware, and nobody whom it tells, sees what was decrypted. */
	private static JobHandler hiding(JobHandler handler) {
		return (context) -> {
			try {
				return handler.handle(context);
			}
			catch (ArgumentMismatchException ex) {
				throw ex.hidden();
			}
		};
	}

	private @Nullable Object execute(int index, JobContext context, JobHandler handler) throws Exception {
		return (index == this.middleware.size()) ? handler.handle(context)
				: this.middleware.get(index).execute(context, (passedOn) -> execute(index + 1, passedOn, handler));
	}

}
