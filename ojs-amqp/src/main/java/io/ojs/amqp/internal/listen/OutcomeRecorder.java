package io.ojs.amqp.internal.listen;

import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import io.ojs.amqp.internal.run.JobRun;
import io.ojs.event.internal.JobTransition;
import io.ojs.store.internal.attempt.Attempts;
import io.ojs.store.internal.attempt.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Records the outcomes of attempts in the job store, before their deliveries are settled.
 * So the store knows the outcome whatever happens to the message. Without a store, every
 * outcome counts as recorded.
 */
final class OutcomeRecorder {

	private final @Nullable Attempts attempts;

	private final BooleanSupplier cutOff;

	private final PendingOutcomes left;

	/**
	 * Creates a recorder.
	 * @param attempts records outcomes; {@code null} without a job store
	 * @param cutOff whether the worker stops and its grace has passed, so that it no
	 * longer waits for the database
	 * @param left tells whether outcomes may be left to other threads
	 */
	OutcomeRecorder(@Nullable Attempts attempts, BooleanSupplier cutOff, PendingOutcomes left) {
		this.attempts = attempts;
		this.cutOff = cutOff;
		this.left = left;
	}

	/** Whether the job store keeps the job of an attempt. */
	boolean keeps(@Nullable JobRun run) {
		return this.attempts != null && run != null && run.lease() != null;
	}

	/**
	 * Whether the next job may begin before the outcome of this one is recorded. If so,
	 * {@link #recordLater} must follow. Not for a job that holds a place under a limit,
	 * since the next one may need it.
	 */
	boolean mayWait(JobRun run) {
		return keeps(run) && !run.isLimited() && this.left.enter();
	}

	/**
	 * Records an outcome. Waits as long as the database is away, even if the delivery is
	 * lost, so that the handler does not run again for that.
	 * @return whether it is recorded
	 * @throws io.ojs.store.StoreException if the store refuses the outcome
	 */
	Attempts.Recording record(Delivery delivery, JobRun run, JobTransition ending) {
		if (this.attempts == null || run.lease() == null) {
			return Attempts.Recording.RECORDED;
		}
		return this.attempts.settle(outcome(this.attempts, delivery, run, ending), this.cutOff);
	}

	/**
	 * Records an outcome together with those of attempts that end at the same time.
	 * @param recorded receives whether it is recorded; the lease ends after that
	 * @param refused receives the failure if the store refuses the outcome, or any other
	 */
	void recordLater(Delivery delivery, JobRun run, JobTransition ending, Consumer<Attempts.Recording> recorded,
			Consumer<Throwable> refused) {
		Attempts attempts = Objects.requireNonNull(this.attempts);
		Outcome outcome;
		try {
			outcome = outcome(attempts, delivery, run, ending);
		}
		catch (Throwable ex) {
			last(run, () -> refused.accept(ex));
			return;
		}
		attempts.settleLater(outcome, this.cutOff, (recording) -> last(run, () -> recorded.accept(recording)),
				(refusal) -> last(run, () -> refused.accept(refusal)));
	}

	/**
	 * If the worker has the message, the broker delivers the job again after its delay.
	 * Otherwise the relay makes it available.
	 */
	private static Outcome outcome(Attempts attempts, Delivery delivery, JobRun run, JobTransition ending) {
		return Outcome.of(Objects.requireNonNull(run.lease()), ending, attempts.now(),
				delivery.hasMessage() ? Attempts.RELAY_GRACE : Duration.ZERO);
	}

	private void last(JobRun run, Runnable telling) {
		try {
			telling.run();
		}
		finally {
			close(run);
			this.left.left();
		}
	}

	/** Stops extending the lease. */
	void close(@Nullable JobRun run) {
		if (this.attempts != null && run != null && run.lease() != null) {
			this.attempts.leases().release(run.lease());
		}
	}

}
