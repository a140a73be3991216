package io.ojs.middleware.internal;

import java.util.List;
import java.util.Map;

import io.ojs.crypto.internal.JobEncryption;
import io.ojs.handler.ArgumentMismatchException;
import io.ojs.handler.JobContext;
import io.ojs.handler.JobHandler;
import io.ojs.handler.internal.MethodJobHandler;
import io.ojs.middleware.ExecutionMiddleware;
import org.jspecify.annotations.Nullable;

/**
 * The middleware and the steps around each attempt. Immutable and thread-safe.
 */
public final class ExecutionChain {

	/** A chain without middleware. */
	public static final ExecutionChain EMPTY = new ExecutionChain(OrderedMiddleware.ofExecution(), Map.of());

	private final List<String> names;

	private final List<ExecutionMiddleware> middleware;

	/**
	 * Creates the chain. The given one cannot be changed afterwards.
	 * @param chain the middleware in its order
	 * @param steps the implementations of the steps, by their names; other steps do
	 * nothing
	 */
	public ExecutionChain(OrderedMiddleware<ExecutionMiddleware> chain, Map<String, ExecutionMiddleware> steps) {
		List<OrderedMiddleware.Link<ExecutionMiddleware>> links = chain.freeze();
		this.names = links.stream().map(OrderedMiddleware.Link::name).toList();
		this.middleware = links.stream()
			.filter((link) -> link.middleware() != null || steps.containsKey(link.name()))
			.map((link) -> (link.middleware() != null) ? link.middleware() : steps.get(link.name()))
			.toList();
	}

	/**
	 * The names of the middleware and the steps.
	 * @return the names, in order
	 */
	public List<String> names() {
		return this.names;
	}

	/**
	 * Runs an attempt.
	 * @param context the context of the attempt
	 * @param handler the handler
	 * @return the result of the job
	 * @throws Exception if the attempt failed
	 */
	public @Nullable Object execute(JobContext context, JobHandler handler) throws Exception {
		return execute(0, context, JobEncryption.isEncoded(context.job().args()) ? hiding(handler) : handler);
	}

	/**
	 * Removes decrypted values from exceptions, before middleware sees them and they are
	 * recorded.
	 */
	private static JobHandler hiding(JobHandler handler) {
		return (context) -> {
			try {
				return handler.handle(context);
			}
			catch (ArgumentMismatchException ex) {
				throw MethodJobHandler.hidden(ex);
			}
		};
	}

	private @Nullable Object execute(int index, JobContext context, JobHandler handler) throws Exception {
		return (index == this.middleware.size()) ? handler.handle(context)
				: this.middleware.get(index).execute(context, (passedOn) -> execute(index + 1, passedOn, handler));
	}

}
