package io.ojs.handler;

import java.time.Duration;
import java.util.random.RandomGenerator;

import io.ojs.event.Transition;
import io.ojs.job.JobError;
import io.ojs.retry.OnExhaustion;
import io.ojs.retry.RetryPolicy;

/**
 * What becomes of a job whose attempt failed, whichever worker ran it (OJS Retry §6).
 *
 * @param transition {@link Transition#RETRY}, or how the job ends
 * @param failure the failure, with the error that is recorded
 * @param delay how long the job waits for its next attempt; zero if there is none
 */
public record FailureDecision(Transition transition, JobFailure failure, Duration delay) {

	/**
	 * Decides.
	 * @param failure what the attempt came to
	 * @param policy the job's retry policy
	 * @param attempt the attempt that failed, from 1
	 * @param random where jitter comes from
	 * @return what becomes of the job
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

	/** A dead letter says that its error is one that the policy does not retry. */
	private static JobError classified(RetryPolicy policy, JobError error) {
		if (!policy.isNonRetryable(error.type())) {
			return error;
		}
		return new JobError(error.type(), JobError.NON_RETRYABLE_ERROR, error.message(), error.attempt(),
				error.occurredAt(), error.backtrace(), error.details());
	}

	/**
	 * Whether there is another attempt.
	 * @return whether the job waits for one
	 */
	public boolean isRetried() {
		return this.transition == Transition.RETRY;
	}

	/**
	 * Whether the job is kept as a dead letter.
	 * @return whether it is; otherwise it is tried again, or let go
	 */
	public boolean isDeadLetter() {
		return this.transition.isDeadLetter();
	}

	/**
	 * The error that is recorded.
	 * @return the error
	 */
	public JobError error() {
		return this.failure.error();
	}

}
