package io.ojs.store.internal.attempt;

import java.time.Duration;
import java.time.Instant;

import io.ojs.event.internal.JobTransition;
import io.ojs.event.internal.Transition;
import io.ojs.job.JobError;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a run.
 */
public sealed interface Outcome {

	/** Returns the lease of the run. */
	Lease lease();

	/**
	 * Creates the outcome of an attempt that has ended.
	 * @param grace how long the relay leaves a job that runs again to the worker that has
	 * its message; zero if there is no message
	 * @throws IllegalArgumentException if the transition does not end a run
	 */
	static Outcome of(Lease lease, JobTransition ending, Instant now, Duration grace) {
		return switch (ending.transition()) {
			case SUCCEED -> new Completed(lease, ending.result());
			case CANCEL -> new Cancelled(lease);
			case RELEASE -> new Released(lease, now.plus(grace));
			case RETRY -> {
				Instant dueAt = now.plus(ending.delay());
				yield new Retried(lease, ending.cause(), ending.errorHash(), dueAt, dueAt.plus(grace));
			}
			case EXHAUST, EXHAUST_AND_DISCARD, REJECT, REJECT_AND_DISCARD ->
				new Discarded(lease, ending.cause(), ending.errorHash(), ending.transition());
			default -> throw new IllegalArgumentException(
					"%s of job %s is not the end of a run.".formatted(ending.transition(), ending.job().id()));
		};
	}

	/**
	 * The handler succeeded: the job is completed.
	 *
	 * @param result the handler's result; a JSON value
	 */
	record Completed(Lease lease, @Nullable Object result) implements Outcome {
	}

	/**
	 * The handler failed, and the job is retryable.
	 *
	 * @param errorHash the hash of the place in the code; {@code null} if it is not known
	 * @param relayAt when the relay publishes the job, unless a worker has claimed it by
	 * then
	 */
	record Retried(Lease lease, JobError error, @Nullable String errorHash, Instant dueAt,
			Instant relayAt) implements Outcome {

		/** A failure whose place in the code is not known. */
		public Retried(Lease lease, JobError error, Instant dueAt, Instant relayAt) {
			this(lease, error, null, dueAt, relayAt);
		}

	}

	/**
	 * The handler failed for good: the job is discarded.
	 *
	 * @param errorHash the hash of the place in the code; {@code null} if it is not known
	 * @param transition the end of the job: it says whether no attempt was left or the
	 * error is not retried, and whether the job is kept as a dead letter or may soon be
	 * pruned
	 */
	record Discarded(Lease lease, JobError error, @Nullable String errorHash,
			Transition transition) implements Outcome {

		/** A failure whose place in the code is not known. */
		public Discarded(Lease lease, JobError error, Transition transition) {
			this(lease, error, null, transition);
		}

	}

	/**
	 * The job was cancelled while it ran.
	 *
	 */
	record Cancelled(Lease lease) implements Outcome {
	}

	/**
	 * The worker stopped and cut off the run: the job is available, and the broker
	 * delivers it to another worker. The attempt counts.
	 *
	 * @param relayAt when the relay publishes the job, unless a worker has claimed it by
	 * then
	 */
	record Released(Lease lease, Instant relayAt) implements Outcome {
	}

	/**
	 * The worker gives back a job that it has not begun: the job is available, at its old
	 * place in the queue. The attempt does not count.
	 *
	 * @param relayAt when the relay publishes the job, unless a worker has claimed it by
	 * then
	 */
	record Requeued(Lease lease, Instant relayAt) implements Outcome {
	}

}
