package io.ojs.amqp.listen;

import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import io.ojs.event.JobTransition;
import io.ojs.store.attempt.Attempts;
import io.ojs.store.attempt.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Records in the job store how attempts ended, before their deliveries are settled:
 * whatever becomes of the message afterwards, the store knows. Without a store everything
 * counts as recorded.
 */
final class OutcomeRecorder {

	private final @Nullable Attempts attempts;

	private final BooleanSupplier cutOff;

	private final PendingOutcomes left;

	/**
	 * Creates a recorder.
	 * @param attempts the store, if there is one
	 * @param cutOff whether the worker stops and its grace is over, so that it does not
	 * wait for the database any longer
	 * @param left says whether outcomes may be left to other threads
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
	 * Whether the next job may begin before it is recorded how this one ended; then
	 * {@link #recordLater} has to be called. Not if the next one may need the place of
	 * this one under a limit.
	 */
	boolean mayWait(JobRun run) {
		return keeps(run) && !run.isLimited() && this.left.enter();
	}

	/**
	 * Records how an attempt ended. As long as it takes, and whether or not the delivery
	 * is lost: the handler shall not run again only because the database was away.
	 * @return what became of that
	 * @throws io.ojs.store.StoreException if the store refuses the outcome
	 */
	Attempts.Recording record(Delivery delivery, JobRun run, JobTransition ending) {
		if (this.attempts == null || run.lease() == null) {
			return Attempts.Recording.RECORDED;
		}
		return this.attempts.settle(outcome(this.attempts, delivery, run, ending), this.cutOff);
	}

	/**
	 * Records how an attempt ended, together with others that end meanwhile.
	 * @param recorded is told what became of that; the lease is over then
	 * @param refused is called if the store refuses it, or something else went wrong
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
	 * The broker brings a job back when its message has waited. If it cannot, since the
	 * message is no longer ours, the relay does.
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

	/** The lease is extended no longer. */
	void close(@Nullable JobRun run) {
		if (this.attempts != null && run != null && run.lease() != null) {
			this.attempts.leases().release(run.lease());
		}
	}

}
