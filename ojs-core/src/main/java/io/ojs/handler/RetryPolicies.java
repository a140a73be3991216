package io.ojs.handler;

import java.util.function.Function;

import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.retry.InvalidRetryPolicyException;
import io.ojs.retry.RetryOverrides;
import io.ojs.retry.RetryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * The retry policy of a job: the queue's, with what its handler changes, with what the
 * job itself changes.
 */
public final class RetryPolicies {

	private final Function<String, RetryPolicy> ofQueue;

	private final JobHandlers handlers;

	/**
	 * Creates the layers.
	 * @param ofQueue the policy of a queue, by its name
	 * @param handlers the handlers of this application
	 * @throws InvalidJobHandlerException if what a handler changes does not fit its queue
	 */
	public RetryPolicies(Function<String, RetryPolicy> ofQueue, JobHandlers handlers) {
		this.ofQueue = ofQueue;
		this.handlers = handlers;
		handlers.byQueue().values().forEach((definitions) -> definitions.forEach(this::check));
	}

	private void check(JobHandlerDefinition definition) {
		try {
			this.ofQueue.apply(definition.queue()).with(definition.retry());
		}
		catch (InvalidRetryPolicyException ex) {
			throw new InvalidJobHandlerException(definition.origin(), ex.getMessage(),
					"Change its @OjsRetry, or the retry policy of queue '%s'.".formatted(definition.queue()), ex);
		}
	}

	/**
	 * The policy of a job that is to be enqueued.
	 * @param job the job
	 * @return its policy
	 * @throws InvalidJobException if what the job changes does not fit the layers below
	 */
	public RetryPolicy of(Job job) {
		try {
			return below(job).with(job.retry());
		}
		catch (InvalidRetryPolicyException ex) {
			throw new InvalidJobException("retry." + ex.field(), ex.value(), ex.problem(), ex);
		}
	}

	/**
	 * The policy of a job that came, possibly from an application with other layers:
	 * where the one interval that the job sets does not fit the other one of the layers
	 * below, theirs gives way.
	 * @param job the job
	 * @return its policy
	 */
	public RetryPolicy ofReceived(Job job) {
		return lay(job.retry(), below(job));
	}

	private RetryPolicy below(Job job) {
		RetryPolicy ofQueue = this.ofQueue.apply(job.queue());
		RetryOverrides ofHandler = this.handlers.find(job)
			// In another queue than its own the type has that queue's policy alone.
			.filter((handler) -> handler.queue().equals(job.queue()))
			.map(JobHandlerDefinition::retry)
			.orElse(RetryOverrides.NONE);
		// The policy of a queue can change while it is in use.
		return lay(ofHandler, ofQueue);
	}

	/**
	 * Where one interval does not fit the other one of the layer below, that gives way.
	 */
	private static RetryPolicy lay(@Nullable RetryOverrides own, RetryPolicy below) {
		return (own != null && !own.equals(RetryOverrides.NONE)) ? below.with(own.over(below.asOverrides())) : below;
	}

}
