package io.ojs.amqp.listen;

import java.time.Duration;
import java.util.function.BooleanSupplier;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import io.ojs.amqp.message.ReceivedJob;
import io.ojs.amqp.message.TraceHeaders;
import io.ojs.client.EncodedJob;
import io.ojs.retry.RetryOverrides;
import io.ojs.retry.RetryPolicy;
import io.ojs.store.Attempts;
import io.ojs.store.Claim;
import io.ojs.store.ClaimRequest;
import org.jspecify.annotations.Nullable;

/**
 * Makes an attempt of what a message brought. With a job store, that is asked first: it
 * says whether the job is to be run at all, and which attempt that is. The message only
 * says that it may be time.
 */
final class Claims {

	private final String queue;

	private final JobRuntime runtime;

	private final BooleanSupplier stopping;

	/**
	 * Creates it.
	 * @param queue the OJS queue that messages come from
	 * @param runtime runs jobs
	 * @param stopping whether the worker stops
	 */
	Claims(String queue, JobRuntime runtime, BooleanSupplier stopping) {
		this.queue = queue;
		this.runtime = runtime;
		this.stopping = stopping;
	}

	/**
	 * Makes an attempt.
	 * @throws NotClaimedException if the job is not to be run now
	 */
	JobRun claim(ReceivedJob received, BasicProperties properties, @Nullable Channel channel) {
		RetryPolicy policy = this.runtime.retryPolicies().ofReceived(received.job());
		// What the message says about attempts counts, whatever this application's
		// defaults.
		policy = (received.maxAttempts() != null) ? limited(policy, received.maxAttempts()) : policy;
		Attempts attempts = this.runtime.supervision().attempts();
		if (attempts == null) {
			return new JobRun(received.job(), received.attempt(), policy, this.runtime);
		}
		EncodedJob encoded = new EncodedJob(received.job(), received.body(), Math.max(1, policy.maxAttempts()));
		Duration lease = attempts.leases().length(this.queue);
		Claim claim = attempts
			.claim(new ClaimRequest(encoded, this.queue, received.attempt(), TraceHeaders.of(properties), lease)
				.handled(this.runtime.handlers().handled())
				.store(received.store()),
					() -> this.stopping.getAsBoolean() || channel == null || !Delivery.physical(channel).isOpen())
			.orElse(null);
		if (!(claim instanceof Claim.Taken taken)) {
			throw new NotClaimedException(claim);
		}
		JobRun run = new JobRun(taken.job().job(), taken.job().job().attempt(),
				limited(this.runtime.retryPolicies().ofReceived(taken.job().job()), taken.job().maxAttempts()),
				this.runtime, taken.lease(), taken.limited(), taken.adopted());
		attempts.leases().hold(taken.lease(), lease, run);
		return run;
	}

	private static RetryPolicy limited(RetryPolicy policy, int maxAttempts) {
		return policy.with(RetryOverrides.NONE.maxAttempts(maxAttempts));
	}

}
