package io.ojs.middleware;

import java.util.List;

import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * What each job passes before it is sent. Does not change any more. Safe for use by many
 * threads.
 */
public final class EnqueueChain {

	/** Nothing but the steps. */
	public static final EnqueueChain EMPTY = new EnqueueChain(MiddlewareChain.ofEnqueueing());

	private final List<MiddlewareChain.Link<EnqueueMiddleware>> links;

	private final boolean empty;

	/**
	 * Creates it; the chain does not change any more.
	 * @param chain the order
	 */
	public EnqueueChain(MiddlewareChain<EnqueueMiddleware> chain) {
		this.links = chain.freeze();
		this.empty = this.links.stream().allMatch((link) -> link.middleware() == null);
	}

	/**
	 * What is in the chain.
	 * @return the names, in order
	 */
	public List<String> names() {
		return this.links.stream().map(MiddlewareChain.Link::name).toList();
	}

	/**
	 * Whether there is nothing but the steps.
	 * @return whether the application has no middleware of its own
	 */
	public boolean isEmpty() {
		return this.empty;
	}

	/**
	 * Has a job pass the chain.
	 * @param job the job
	 * @param steps what is done in between
	 * @return the job to be sent
	 * @throws JobDroppedException if a middleware does not let it go on
	 * @throws InvalidJobException if a middleware has changed its id
	 */
	public Job apply(Job job, Steps steps) {
		Job current = job;
		for (MiddlewareChain.Link<EnqueueMiddleware> link : this.links) {
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
	 * What is done between the middleware of the application.
	 */
	public interface Steps {

		/**
		 * Takes a step.
		 * @param name one of the constants of {@link MiddlewareChain}
		 * @param job the job
		 * @return the job to go on with
		 */
		Job step(String name, Job job);

		/**
		 * Checks what a middleware has made of a job.
		 * @param before the job as the middleware got it
		 * @param after the job as it returned it
		 * @param middleware its name
		 * @return the job to go on with
		 * @throws InvalidJobException if it breaks a rule
		 */
		Job changed(Job before, Job after, String middleware);

	}

}
