package io.ojs.middleware.internal;

import java.util.List;

import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.middleware.EnqueueMiddleware;
import io.ojs.middleware.JobDroppedException;
import org.jspecify.annotations.Nullable;

/**
 * The middleware and the steps that each job passes before it is sent. Immutable and
 * thread-safe.
 */
public final class EnqueueChain {

	/** A chain with the steps alone. */
	public static final EnqueueChain EMPTY = new EnqueueChain(OrderedMiddleware.ofEnqueueing());

	private final List<OrderedMiddleware.Link<EnqueueMiddleware>> links;

	private final boolean empty;

	/**
	 * Creates the chain. The given one cannot be changed afterwards.
	 * @param chain the middleware in its order
	 */
	public EnqueueChain(OrderedMiddleware<EnqueueMiddleware> chain) {
		this.links = chain.freeze();
		this.empty = this.links.stream().allMatch((link) -> link.middleware() == null);
	}

	/**
	 * The names of the middleware and the steps.
	 * @return the names, in order
	 */
	public List<String> names() {
		return this.links.stream().map(OrderedMiddleware.Link::name).toList();
	}

	/**
	 * Whether the chain has only steps.
	 * @return whether the application has no middleware of its own
	 */
	public boolean isEmpty() {
		return this.empty;
	}

	/**
	 * Applies the chain to a job.
	 * @param job the job
	 * @param steps executes the steps
	 * @return the job to send
	 * @throws JobDroppedException if a middleware drops the job
	 * @throws InvalidJobException if a middleware changes the id of the job
	 */
	public Job apply(Job job, Steps steps) {
		Job current = job;
		for (OrderedMiddleware.Link<EnqueueMiddleware> link : this.links) {
			EnqueueMiddleware middleware = link.middleware();
			if (middleware == null) {
				current = steps.step(link.name(), current);
			}
			else {
				Job after = passed(current, middleware.enqueue(current), link.name());
				current = (after != current) ? steps.changed(current, after, link.name()) : current;
			}
		}
		return current;
	}

	private static Job passed(Job before, @Nullable Job after, String middleware) {
		if (after == null) {
			throw new JobDroppedException(before.toBuilder().state(null).build(), middleware);
		}
		if (!after.id().equals(before.id())) {
			throw new InvalidJobException("id", after.id(),
					"must stay '%s', and the middleware '%s' has changed it".formatted(before.id(), middleware));
		}
		return after;
	}

	/**
	 * The steps of the library, which run between the middleware of the application.
	 */
	public interface Steps {

		/**
		 * Executes a step.
		 * @param name one of the constants of {@link MiddlewareChain}
		 * @param job the job
		 * @return the job for the rest of the chain
		 */
		Job step(String name, Job job);

		/**
		 * Checks the changes of a middleware.
		 * @param before the job that the middleware received
		 * @param after the job that it returned
		 * @param middleware the name of the middleware
		 * @return the job for the rest of the chain
		 * @throws InvalidJobException if the job breaks a rule
		 */
		Job changed(Job before, Job after, String middleware);

	}

}
