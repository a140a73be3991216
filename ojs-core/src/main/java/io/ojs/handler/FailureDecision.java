package io.ojs.handler;

import java.time.Duration;
import java.util.random.RandomGenerator;

import io.ojs.event.Transition;
import io.ojs.job.JobError;
import io.ojs.retry.RetryDecision;
import io.ojs.retry.RetryPolicy;

/**
 * What becomes of a job whose attempt failed, whoever ran it.
 */
public sealed interface FailureDecision {

	/**
	 * The failure.
	 * @return the failure with the error that is to be recorded
	 */
	JobFailure failure();

	/**
	 * Decides.
	 * @param failure what the attempt came to
	 * @param policy the job's retry policy
	 * @param attempt the attempt that failed, from 1
	 * @param random where jitter comes from
	 * @return what becomes of the job
	 */
	static FailureDecision of(JobFailure failure, RetryPolicy policy, int attempt, RandomGenerator random) {
		RetryDecision decision = policy.decide(failure.error().type(), failure.response(), attempt, random);
		if (decision instanceof RetryDecision.Retry retry) {
			return new Retry(failure, retry.delay());
		}
		if (decision instanceof RetryDecision.DeadLetter dead) {
			return new DeadLetter(failure.with(classified(policy, failure.error())), dead.exhausted());
		}
		return new Discard(failure, decision instanceof RetryDecision.Discard discard && discard.exhausted());
	}

	private static JobError classified(RetryPolicy policy, JobError error) {
		if (!policy.isNonRetryable(error.type())) {
			return error;
		}
		return new JobError(error.type(), JobError.NON_RETRYABLE_ERROR, error.message(), error.attempt(),
				error.occurredAt(), error.backtrace(), error.details());
	}

	/**
	 * What becomes of the job.
	 * @return the transition that this decision asks for
	 */
	default Transition transition() {
		if (this instanceof DeadLetter dead) {
			return Transition.ofFailure(dead.exhausted(), true);
		}
		return (this instanceof Discard discard) ? Transition.ofFailure(discard.exhausted(), false) : Transition.RETRY;
	}

	/**
	 * How long the job waits for its next attempt.
	 * @return the time; zero if there is no other attempt
	 */
	default Duration delay() {
		return Duration.ZERO;
	}

	/**
	 * It is tried again.
	 *
	 * @param failure the failure
	 * @param delay not before this has passed
	 */
	record Retry(JobFailure failure, Duration delay) implements FailureDecision {
	}

	/**
	 * It is a dead letter.
	 *
	 * @param failure the failure; its error says so if the policy does not retry its type
	 * @param exhausted whether it failed as often as it may; otherwise it must not be
	 * retried whatever is left
	 */
	record DeadLetter(JobFailure failure, boolean exhausted) implements FailureDecision {
	}

	/**
	 * It is let go.
	 *
	 * @param failure the failure
	 * @param exhausted whether it failed as often as it may; otherwise it must not be
	 * retried whatever is left
	 */
	record Discard(JobFailure failure, boolean exhausted) implements FailureDecision {
	}

}
