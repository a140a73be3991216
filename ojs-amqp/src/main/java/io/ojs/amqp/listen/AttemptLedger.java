package io.ojs.amqp.listen;

import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

import io.ojs.event.Transition;
import io.ojs.job.JobError;
import io.ojs.log.SafeLogger;
import io.ojs.store.Attempts;
import io.ojs.store.Lease;
import io.ojs.store.Outcome;
import io.ojs.store.StoreException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Records in the job store how attempts ended, before their deliveries are settled:
 * whatever becomes of the message afterwards, the store knows. Without a store everything
 * counts as recorded.
 */
final class AttemptLedger {

	private static final Logger logger = SafeLogger.of(AttemptLedger.class);

	private final @Nullable Attempts attempts;

	private final DeliverySettler settler;

	private final JobRuntime runtime;

	private final BooleanSupplier cutOff;

	private final LeftOutcomes left;

	/**
	 * Creates a ledger.
	 * @param settler settles what is not recorded, because somebody else decided
	 * @param runtime knows the store, if there is one
	 * @param cutOff whether the worker stops and its grace is over: nobody waits for the
	 * database any longer
	 * @param left says whether outcomes may be left to others
	 */
	AttemptLedger(DeliverySettler settler, JobRuntime runtime, BooleanSupplier cutOff, LeftOutcomes left) {
		this.attempts = runtime.supervision().attempts();
		this.settler = settler;
		this.runtime = runtime;
		this.cutOff = cutOff;
		this.left = left;
	}

	/** Whether it was recorded for good what became of an attempt. */
	boolean keeps(@Nullable JobRun run) {
		return this.attempts != null && run != null && run.lease() != null;
	}

	boolean completed(Delivery delivery, JobRun run) {
		return record(delivery, run, (lease) -> new Outcome.Completed(lease, run.result()));
	}

	/**
	 * Whether the next job may begin before it is recorded how this one ended; then
	 * {@link #completedLater} has to be called. Not if the next one may need the place of
	 * this one under a limit.
	 */
	boolean mayWait(@Nullable JobRun run) {
		return keeps(run) && run != null && !run.isLimited() && this.left.enter();
	}

	/**
	 * Records that an attempt has succeeded, together with others that end meanwhile.
	 * @param recorded is called when it counts; the lease is over then
	 * @param refused is called if the store refuses it, or something else went wrong
	 */
	void completedLater(Delivery delivery, JobRun run, Runnable recorded, Consumer<Throwable> refused) {
		if (this.attempts != null && run.lease() != null) {
			this.attempts.settleLater(new Outcome.Completed(run.lease(), run.result()), this.cutOff,
					(recording) -> last(run, () -> {
						if (counts(delivery, run, recording)) {
							recorded.run();
						}
					}), (refusal) -> last(run, () -> refused.accept(refusal)));
		}
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

	boolean cancelled(Delivery delivery, JobRun run) {
		return record(delivery, run, Outcome.Cancelled::new);
	}

	/**
	 * The broker brings the job back when its message has waited. If it cannot, since the
	 * message is no longer ours, the relay does.
	 */
	boolean retried(Delivery delivery, JobRun run, JobError error, Duration delay) {
		return record(delivery, run, (lease) -> {
			Instant dueAt = now().plus(delay);
			return new Outcome.Retried(lease, error, dueAt,
					delivery.isLost() ? dueAt : dueAt.plus(Attempts.RELAY_GRACE));
		});
	}

	boolean discarded(Delivery delivery, JobRun run, JobError error, boolean exhausted, boolean deadLetter) {
		return record(delivery, run, (lease) -> new Outcome.Discarded(lease, error, exhausted, deadLetter));
	}

	/** The attempt was cut off: whoever gets the message next may begin at once. */
	void released(Delivery delivery, JobRun run) {
		record(delivery, run,
				(lease) -> new Outcome.Released(lease, delivery.isLost() ? now() : now().plus(Attempts.RELAY_GRACE)));
	}

	/** The job is another worker's by now, or has ended. */
	void lost(Delivery delivery, JobRun run) {
		logger.warn("What attempt {} of job {} ({}) came to is not recorded: its lease was lost, and the job has "
				+ "ended or is another worker's", run.attempt(), run.job().id(), run.job().type());
		this.settler.ack(delivery);
	}

	/** The lease is extended no longer. */
	void close(@Nullable JobRun run) {
		if (this.attempts != null && run != null && run.lease() != null) {
			this.attempts.leases().release(run.lease());
		}
	}

	private Instant now() {
		return (this.attempts != null) ? this.attempts.now() : this.runtime.clock().instant();
	}

	/**
	 * Records how an attempt ended. As long as it takes, and whether or not the delivery
	 * is lost: the handler shall not run again only because the database was away.
	 * @return whether it counts; otherwise the delivery is settled, as far as it can be
	 * @throws StoreException if the store refuses the outcome
	 */
	private boolean record(Delivery delivery, JobRun run, Function<Lease, Outcome> outcome) {
		if (this.attempts == null || run.lease() == null) {
			return true;
		}
		return counts(delivery, run, this.attempts.settle(outcome.apply(run.lease()), this.cutOff));
	}

	private boolean counts(Delivery delivery, JobRun run, Attempts.Recording recording) {
		switch (recording) {
			case RECORDED -> {
				return true;
			}
			case CANCELLED -> {
				logger.info("Job {} ({}) was cancelled at attempt {}", run.job().id(), run.job().type(), run.attempt());
				this.settler.ack(delivery);
				this.runtime.supervision().control().dropped(run.job().id());
				this.runtime.events().publish(run.as(Transition.CANCEL));
			}
			case STALE -> lost(delivery, run);
			default -> logger.error(
					"What attempt {} of job {} ({}) came to could not be recorded before the worker stopped; it runs "
							+ "again when its lease is over",
					run.attempt(), run.job().id(), run.job().type());
		}
		return false;
	}

}
