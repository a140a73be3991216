package io.ojs.amqp.internal.listen;

import java.time.Duration;
import java.util.function.BooleanSupplier;

import io.ojs.amqp.internal.message.ReceivedJob;
import io.ojs.amqp.internal.message.TraceHeaders;
import io.ojs.amqp.internal.run.JobRun;
import io.ojs.amqp.internal.run.JobRuntime;
import io.ojs.client.internal.EncodedJob;
import io.ojs.retry.RetryOverrides;
import io.ojs.retry.RetryPolicy;
import io.ojs.store.internal.attempt.Attempts;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import org.jspecify.annotations.Nullable;

/**
 * Turns a received message into an attempt. With a job store, it first asks the store,
 * which decides whether the job runs and which attempt that is. The message alone decides
 * neither.
 */
final class Claims {

	private final String queue;

	private final JobRuntime runtime;

	private final BooleanSupplier stopping;

	/**
	 * Creates an instance.
	 * @param stopping whether the worker stops
	 */
	Claims(String queue, JobRuntime runtime, BooleanSupplier stopping) {
		this.queue = queue;
		this.runtime = runtime;
		this.stopping = stopping;
	}

	/**
	 * Claims a job.
	 * @return the attempt, or why there is none
	 * @throws StoreException if the store does not accept the job, now or ever
	 */
	Claimed claim(ReceivedJob received, BrokerDelivery delivery) {
		RetryPolicy policy = this.runtime.retryPolicies().ofReceived(received.job());
		// The maximum in the message overrides that of this application.
		policy = (received.maxAttempts() != null) ? limited(policy, received.maxAttempts()) : policy;
		Attempts attempts = this.runtime.supervision().attempts();
		if (attempts == null) {
			return new Claimed(new JobRun(received.job(), received.attempt(), policy, this.runtime), null);
		}
		EncodedJob encoded = new EncodedJob(received.job(), received.body(), Math.max(1, policy.maxAttempts()));
		Duration lease = attempts.leases().length(this.queue);
		ClaimRequest request = new ClaimRequest(encoded, this.queue, received.attempt(),
				TraceHeaders.of(delivery.properties()), lease)
			.handled(this.runtime.handlers().handled())
			.store(received.store());
		Claim claim = attempts.claim(request, () -> this.stopping.getAsBoolean() || delivery.isLost()).orElse(null);
		if (!(claim instanceof Claim.Taken taken)) {
			return new Claimed(null, claim);
		}
		JobRun run = JobRun.of(taken.job(), taken.lease(), taken.limited(), taken.adopted(), this.runtime);
		attempts.leases().hold(taken.lease(), lease, run);
		return new Claimed(run, null);
	}

	private static RetryPolicy limited(RetryPolicy policy, int maxAttempts) {
		return policy.with(RetryOverrides.NONE.maxAttempts(maxAttempts));
	}

	/**
	 * The result of a claim.
	 *
	 * @param run the attempt; {@code null} if there is none
	 * @param refusal what the store has done with the job instead; {@code null} if there
	 * is an attempt, or if the store did not answer
	 */
	record Claimed(@Nullable JobRun run, @Nullable Claim refusal) {
	}

}
