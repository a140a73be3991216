package io.ojs.store.attempt;

import java.time.Duration;
import java.time.Instant;

import io.ojs.event.JobTransition;
import io.ojs.event.Transition;
import io.ojs.job.JobError;
import org.jspecify.annotations.Nullable;

/**
 * How a run ended.
 */
public sealed interface Outcome {

	/**
	 * The right by which the job was run.
	 * @return the lease
	 */
	Lease lease();

	/**
	 * The outcome of an attempt that has ended.
	 * @param lease the right by which the job was run
	 * @param ending what becomes of the job
	 * @param now the present
	 * @param grace how long the relay leaves a job that can be worked again to a worker
	 * that has its message; zero if there is no message
	 * @return the outcome
	 */
	static Outcome of(Lease lease, JobTransition ending, Instant now, Duration grace) {
		return switch (ending.transition()) {
			case SUCCEED -> new Completed(lease, ending.result());
			case CANCEL -> new Cancelled(lease);
			case RELEASE -> new Released(lease, now.plus(grace));
			case RETRY -> {
				Instant dueAt = now.plus(ending.delay());
				yield new Retried(lease, ending.cause(), dueAt, dueAt.plus(grace));
			}
			case EXHAUST, EXHAUST_AND_DISCARD, REJECT, REJECT_AND_DISCARD ->
				new Discarded(lease, ending.cause(), ending.transition());
			default -> throw new IllegalArgumentException(
					"%s of job %s is not the end of a run.".formatted(ending.transition(), ending.job().id()));
		};
	}

	/**
	 * The handler succeeded: completed.
	 *
	 * @param lease the right by which the job was run
	 * @param result what the handler returned; a JSON value
	 */
	record Completed(Lease lease, @Nullable Object result) implements Outcome {
	}

	/**
	 * The handler failed and the job is tried again: retryable.
	 *
	 * @param lease the right by which the job was run
	 * @param error what went wrong
	 * @param dueAt when it is tried again
	 * @param relayAt when the relay takes care of it, unless somebody has run it by then
	 */
	record Retried(Lease lease, JobError error, Instant dueAt, Instant relayAt) implements Outcome {
	}

	/**
	 * The handler failed for good: discarded.
	 *
	 * @param lease the right by which the job was run
	 * @param error what went wrong
	 * @param transition how the job ends: whether there were no attempts left, as opposed
	 * to an error that is not retried, and whether it is kept as a dead letter, or may
	 * soon be pruned
	 */
	record Discarded(Lease lease, JobError error, Transition transition) implements Outcome {
	}

	/**
	 * The job was cancelled while it ran.
	 *
	 * @param lease the right by which the job was run
	 */
	record Cancelled(Lease lease) implements Outcome {
	}

	/**
	 * The run was cut off by the end of its worker, and the broker hands the job to
	 * another one: available. The attempt counts.
	 *
	 * @param lease the right by which the job was run
	 * @param relayAt when the relay takes care of it, unless somebody has run it by then
	 */
	record Released(Lease lease, Instant relayAt) implements Outcome {
	}

	/**
	 * The worker gives the job back as if it had never had it: available, in its place in
	 * the queue. The attempt does not count.
	 *
	 * @param lease the right by which the job was run
	 * @param relayAt when the relay takes care of it, unless somebody has run it by then
	 */
	record Requeued(Lease lease, Instant relayAt) implements Outcome {
	}

}
