package io.ojs.handler.internal;

import java.util.function.Function;

import io.ojs.handler.InvalidJobHandlerException;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.retry.InvalidRetryPolicyException;
import io.ojs.retry.RetryOverrides;
import io.ojs.retry.RetryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * Finds the retry policy of a job: the policy of the queue, overridden by the settings of
 * the handler, overridden by those of the job.
 */
public final class RetryPolicies {

	private final Function<String, RetryPolicy> ofQueue;

	private final JobHandlers handlers;

	/**
	 * Creates the policies.
	 * @throws InvalidJobHandlerException if the settings of a handler do not fit the
	 * policy of its queue
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
	 * The policy of a job that is being enqueued.
	 * @throws InvalidJobException if the settings of the job do not fit the layers below
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
	 * The policy of a received job, whose producer may have other layers. If the job sets
	 * only one of the two intervals and it does not fit the other one of the layers
	 * below, the other one is changed to fit.
	 */
	public RetryPolicy ofReceived(Job job) {
		return lay(job.retry(), below(job));
	}

	private RetryPolicy below(Job job) {
		RetryPolicy ofQueue = this.ofQueue.apply(job.queue());
		RetryOverrides ofHandler = this.handlers.find(job)
			// The settings of a handler only apply to its own queue.
			.filter((handler) -> handler.queue().equals(job.queue()))
			.map(JobHandlerDefinition::retry)
			.orElse(RetryOverrides.NONE);
		// Does not throw: the policy of a queue can change while the queue is in use.
		return lay(ofHandler, ofQueue);
	}

	/**
	 * Overrides a policy. If only one of the two intervals is set and it does not fit the
	 * other one, the other one is changed to fit.
	 */
	private static RetryPolicy lay(@Nullable RetryOverrides own, RetryPolicy below) {
		return (own != null && !own.equals(RetryOverrides.NONE)) ? below.with(own.over(below.asOverrides())) : below;
	}

}
