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
	 */
	public RetryPolicies(Function<String, RetryPolicy> ofQueue, JobHandlers handlers) {
		this.ofQueue = ofQueue;
		this.handlers = handlers;
	}

	/**
	 * The policy of a job.
	 * @param job the job
	 * @return its policy
	 * @throws InvalidJobException if what the job changes does not fit the layers below
	 */
	public RetryPolicy of(Job job) {
		return of(job.type(), job.queue(), job.retry());
	}

	private RetryPolicy of(String type, String queue, @Nullable RetryOverrides ofJob) {
		RetryPolicy below = this.handlers.find(type)
			.map((handler) -> this.ofQueue.apply(queue).with(handler.retry()))
			.orElseGet(() -> this.ofQueue.apply(queue));
		try {
			return below.with(ofJob);
		}
		catch (InvalidRetryPolicyException ex) {
			throw new InvalidJobException("retry." + ex.field(), ex.value(), ex.problem(), ex);
		}
	}

}
