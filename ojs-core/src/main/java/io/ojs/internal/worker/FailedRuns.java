package io.ojs.internal.worker;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.random.RandomGenerator;

import io.ojs.event.internal.JobEvents;
import io.ojs.event.internal.JobTransition;
import io.ojs.handler.internal.FailureDecision;
import io.ojs.handler.internal.JobFailure;
import io.ojs.internal.fetch.LeasedRun;
import io.ojs.job.Job;
import io.ojs.store.internal.StoredTransitions;
import io.ojs.store.internal.attempt.AttemptStore;
import io.ojs.store.internal.attempt.Outcome;

/**
 * Decides what happens to jobs whose runs failed, records that, and notifies listeners.
 */
final class FailedRuns {

	private final AttemptStore attempts;

	private final RunTerms terms;

	private final JobEvents events;

	private final Clock clock;

	FailedRuns(AttemptStore attempts, RunTerms terms, JobEvents events, Clock clock) {
		this.attempts = attempts;
		this.terms = terms;
		this.events = events;
		this.clock = clock;
	}

	/**
	 * Ends a failed run.
	 * @return the decision; empty if the lease is not valid any more, and nothing was
	 * changed
	 */
	Optional<FailureDecision> fail(LeasedRun run, JobFailure failure) {
		return fail(run, failure, this.attempts::settle);
	}

	/**
	 * Ends a failed run, unless another transaction has locked its row.
	 * @return the decision; empty if nothing was changed
	 */
	Optional<FailureDecision> failIfFree(LeasedRun run, JobFailure failure) {
		return fail(run, failure,
				(outcome, now) -> Boolean.TRUE.equals(this.attempts.settle(List.of(outcome), now).get(0)));
	}

	private Optional<FailureDecision> fail(LeasedRun run, JobFailure failure, BiPredicate<Outcome, Instant> recording) {
		Job job = run.job().job();
		FailureDecision decision = FailureDecision.of(failure, this.terms.policy(run.job()), job.attempt(),
				RandomGenerator.getDefault());
		Instant now = this.clock.instant();
		JobTransition ending = StoredTransitions.of(run.job(), decision.transition())
			.error(decision.error())
			.took(elapsed(job))
			.delay(decision.delay());
		// No message waits in a retry queue, so the relay takes the job without a grace.
		if (!recording.test(Outcome.of(run.lease(), ending, now, Duration.ZERO), now)) {
			return Optional.empty();
		}
		this.events.publish(ending);
		return Optional.of(decision);
	}

	Duration elapsed(Job job) {
		OffsetDateTime started = job.startedAt();
		Duration elapsed = (started != null) ? Duration.between(started.toInstant(), this.clock.instant())
				: Duration.ZERO;
		return elapsed.isNegative() ? Duration.ZERO : elapsed;
	}

}
