package io.ojs.handler.internal;

import java.time.Duration;
import java.util.random.RandomGenerator;

import io.ojs.event.internal.Transition;
import io.ojs.job.JobError;
import io.ojs.retry.OnExhaustion;
import io.ojs.retry.RetryPolicy;

/**
 * What happens to a job after a failed attempt, by whichever worker (OJS Retry §6).
 *
 * @param transition {@link Transition#RETRY}, or the transition that ends the job
 * @param failure the failure, with the error to record
 * @param delay how long the job waits for its next attempt; zero if there is none
 */
public record FailureDecision(Transition transition, JobFailure failure, Duration delay) {

	/**
	 * Decides what happens to a job.
	 * @param attempt the attempt that failed, from 1
	 */
	public static FailureDecision of(JobFailure failure, RetryPolicy policy, int attempt, RandomGenerator random) {
		return switch (failure.response()) {
			case DISCARD, FAIL -> ended(failure, policy, false, false);
			case DEAD_LETTER -> ended(failure, policy, false, true);
			case RETRY -> {
				boolean never = policy.isNonRetryable(failure.error().type());
				if (!never && attempt < policy.maxAttempts()) {
					yield new FailureDecision(Transition.RETRY, failure, policy.delay(attempt, random));
				}
				yield ended(failure, policy, !never, policy.onExhaustion() == OnExhaustion.DEAD_LETTER);
			}
		};
	}

	private static FailureDecision ended(JobFailure failure, RetryPolicy policy, boolean exhausted,
			boolean deadLetter) {
		return new FailureDecision(Transition.ofFailure(exhausted, deadLetter),
				deadLetter ? failure.with(classified(policy, failure.error())) : failure, Duration.ZERO);
	}

	/** Sets the code of a dead letter's error if the policy does not retry that error. */
	private static JobError classified(RetryPolicy policy, JobError error) {
		if (!policy.isNonRetryable(error.type())) {
			return error;
		}
		return new JobError(error.type(), JobError.NON_RETRYABLE_ERROR, error.message(), error.attempt(),
				error.occurredAt(), error.backtrace(), error.details(), error.causes());
	}

	/**
	 * Whether there is another attempt.
	 * @return whether the job waits for one
	 */
	public boolean isRetried() {
		return this.transition == Transition.RETRY;
	}

	/**
	 * Whether the job becomes a dead letter.
	 * @return {@code false} if it is retried or discarded
	 */
	public boolean isDeadLetter() {
		return this.transition.isDeadLetter();
	}

	/** The error to record. */
	public JobError error() {
		return this.failure.error();
	}

}
