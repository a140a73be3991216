package io.ojs.amqp.internal.listen;

import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

import io.ojs.amqp.internal.listen.DeliverySettler.Settlement;
import io.ojs.amqp.internal.run.Interruption;
import io.ojs.amqp.internal.run.JobRun;
import io.ojs.amqp.internal.run.JobRuntime;
import io.ojs.crypto.internal.JobEncryption;
import io.ojs.event.internal.JobTransition;
import io.ojs.event.internal.Transition;
import io.ojs.handler.internal.FailureDecision;
import io.ojs.handler.internal.JobFailure;
import io.ojs.internal.log.SafeLogger;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.internal.ForeignText;
import io.ojs.store.StoreException;
import io.ojs.store.internal.attempt.Attempts;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Processes each delivery from its arrival to its ack. A job runs at most once within one
 * delivery and never waits in one. A retry is a new delivery, so a waiting job holds
 * neither a thread nor a place in the prefetch.
 *
 * <p>
 * It throws nothing, and clears an interrupt that the handler has left. An exception
 * would leave the delivery unsettled. An error or an interrupt would stop the consumer,
 * and count as a delivery of each message that it had prefetched.
 *
 * @param <D> the kind of delivery
 */
final class DeliveryProcessor<D extends Delivery> {

	private static final Logger logger = SafeLogger.of(DeliveryProcessor.class);

	private final JobRuntime runtime;

	private final DeliverySource<D> source;

	private final AttemptRunner runner;

	private final OutcomeRecorder recorder;

	private final BooleanSupplier stopping;

	/**
	 * Creates a processor.
	 * @param stopping whether the worker stops; an attempt that this interrupts has not
	 * failed
	 */
	DeliveryProcessor(JobRuntime runtime, DeliverySource<D> source, AttemptRunner runner, OutcomeRecorder recorder,
			BooleanSupplier stopping) {
		this.runtime = runtime;
		this.source = source;
		this.runner = runner;
		this.recorder = recorder;
		this.stopping = stopping;
	}

	/**
	 * Processes a delivery. With a job store, it records the outcome before it settles
	 * the message, so that a crash in between repeats the message and not the job.
	 */
	void process(D delivery) {
		AttemptResult result = attempt(delivery);
		boolean interrupted = Thread.interrupted();
		JobRun run = result.run();
		if (result instanceof AttemptResult.Succeeded success && this.recorder.mayWait(success.run())) {
			endLater(delivery, success);
			return;
		}
		try {
			settle(delivery, result);
		}
		catch (Throwable ex) {
			notRecorded(delivery, run, ex);
		}
		finally {
			this.recorder.close(run);
			if (interrupted && this.stopping.getAsBoolean()) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/** Reads, claims and runs the job. */
	private AttemptResult attempt(D delivery) {
		Claims.Claimed claimed;
		try {
			claimed = this.source.claim(delivery);
		}
		catch (Throwable ex) {
			return (this.stopping.getAsBoolean() && AttemptRunner.isInterrupt(ex)) ? new AttemptResult.NotClaimed(null)
					: new AttemptResult.Unreadable(ex);
		}
		JobRun run = claimed.run();
		if (run == null) {
			return new AttemptResult.NotClaimed(claimed.refusal());
		}
		try {
			return this.runner.run(delivery, run);
		}
		catch (Throwable ex) {
			return new AttemptResult.Failed(run, ex);
		}
	}

	private void settle(D delivery, AttemptResult result) {
		if (result instanceof AttemptResult.Succeeded success) {
			end(delivery, success.run(), succeeded(success));
		}
		else if (result instanceof AttemptResult.Failed failed) {
			end(delivery, failed.run(), failed(failed));
		}
		else if (result instanceof AttemptResult.Cancelled cancelled) {
			end(delivery, cancelled.run(), new Ending(cancelled.run().as(Transition.CANCEL), null));
		}
		else if (result instanceof AttemptResult.Expired expired) {
			end(delivery, expired.run(), expired(expired));
		}
		else if (result instanceof AttemptResult.Stopped stopped) {
			stopped(delivery, stopped.run());
		}
		else if (result instanceof AttemptResult.NotHandled elsewhere) {
			notHandled(delivery, elsewhere.run());
		}
		else if (result instanceof AttemptResult.LeaseLost lost) {
			lost(delivery, lost.run());
		}
		else if (result instanceof AttemptResult.NotClaimed refused) {
			this.source.unclaimed(delivery, refused.claim());
		}
		else if (result instanceof AttemptResult.Unreadable unreadable) {
			JobFailure failure = JobFailure.of(unreadable.thrown(), 0, this.runtime.clock());
			logger.warn("A message in queue '{}' is no job and goes to the dead letter queue. {}", delivery.queue(),
					failure.error().message());
			this.source.deadLetter(delivery, failure);
		}
	}

	private static Ending succeeded(AttemptResult.Succeeded success) {
		return new Ending(success.run().as(Transition.SUCCEED).result(success.result()), null);
	}

	private static Ending expired(AttemptResult.Expired expired) {
		Job job = expired.run().job();
		JobError error = expired.failure().error();
		logger.warn("Job {} ({}) goes to the dead letter queue. {}", job.id(), job.type(), error.message());
		return new Ending(expired.run().as(Transition.EXPIRE).error(error, expired.failure().knownHash()),
				expired.failure());
	}

	private Ending failed(AttemptResult.Failed failed) {
		JobRun run = failed.run();
		JobFailure failure = JobFailure.of(failed.thrown(), run.attempt(), this.runtime.clock(),
				JobEncryption.isEncoded(run.job().args()));
		FailureDecision decision = FailureDecision.of(failure, run.policy(), run.attempt(),
				RandomGenerator.getDefault());
		Job job = run.job();
		if (decision.isRetried()) {
			logger.info("Job {} ({}) failed at attempt {} of {} and is tried again in {}: {}", job.id(), job.type(),
					run.attempt(), run.maxAttempts(), decision.delay(), ForeignText.escape(decision.error().message()));
			logger.debug("Job {} failed", job.id(), failed.thrown());
		}
		else {
			logger.warn("Job {} ({}) failed at attempt {} of {} and {}", job.id(), job.type(), run.attempt(),
					run.maxAttempts(), decision.isDeadLetter() ? "goes to the dead letter queue" : "is discarded",
					failed.thrown());
		}
		return new Ending(
				run.as(decision.transition()).error(decision.error(), failure.knownHash()).delay(decision.delay()),
				decision.failure());
	}

	/** Records the outcome, settles the message, and tells listeners. */
	private void end(D delivery, JobRun run, Ending ending) {
		recorded(delivery, run, ending, this.recorder.record(delivery, run, ending.told()));
	}

	/**
	 * The next job begins before this success is recorded. One database call records the
	 * successes of many threads, and no thread waits for it.
	 */
	private void endLater(D delivery, AttemptResult.Succeeded success) {
		JobRun run = success.run();
		Ending ending = succeeded(success);
		this.recorder.recordLater(delivery, run, ending.told(),
				(recording) -> guarded(delivery, () -> recorded(delivery, run, ending, recording)),
				(failure) -> notRecorded(delivery, run, failure));
	}

	private void recorded(D delivery, JobRun run, Ending ending, Attempts.Recording recording) {
		switch (recording) {
			case RECORDED -> settle(delivery, run, ending);
			case CANCELLED -> settle(delivery, run, new Ending(run.as(Transition.CANCEL), null));
			case STALE -> lost(delivery, run);
			default -> logger.error(
					"The outcome of attempt {} of job {} ({}) could not be recorded before the worker stopped; the job runs "
							+ "again when its lease is over",
					run.attempt(), run.job().id(), run.job().type());
		}
	}

	/**
	 * Settles nothing, unless the job was cancelled. The broker delivers the message
	 * again when the stopping worker closes the channel. Even if the release seems not to
	 * be recorded, it may be, since the answer of the store may have been lost.
	 */
	private void stopped(D delivery, JobRun run) {
		Ending ending = new Ending(run.as(Transition.RELEASE), null);
		Attempts.Recording recording = this.recorder.record(delivery, run, ending.told());
		if (recording == Attempts.Recording.CANCELLED) {
			recorded(delivery, run, ending, recording);
		}
	}

	private void lost(D delivery, JobRun run) {
		logger.warn("The outcome of attempt {} of job {} ({}) is not recorded: its lease was lost, and the job has "
				+ "ended or another worker runs it", run.attempt(), run.job().id(), run.job().type());
		this.source.ack(delivery);
	}

	/**
	 * Settles the message of a job. With a job store, the outcome is recorded already.
	 */
	private void settle(D delivery, JobRun run, Ending ending) {
		boolean kept = this.recorder.keeps(run);
		Settlement settlement = switch (ending.told().transition()) {
			case RETRY -> this.source.retry(delivery, run, ending.reason(), ending.told().delay());
			case EXHAUST, REJECT, EXPIRE -> this.source.deadLetter(delivery, ending.reason());
			default -> this.source.ack(delivery);
		};
		if (!kept && settlement == Settlement.DEAD_LETTERED && ending.told().transition() == Transition.RETRY) {
			tell(run, run.as(Transition.REJECT).error(ending.reason().error()));
		}
		else if (kept || settlement != Settlement.NOT_SETTLED) {
			tell(run, ending.told());
		}
	}

	private void tell(JobRun run, JobTransition told) {
		Job job = run.job();
		if (told.transition() == Transition.CANCEL) {
			logger.info("Job {} ({}) was cancelled at attempt {}", job.id(), job.type(), run.attempt());
		}
		if (told.transition() == Transition.CANCEL || run.interruption() == Interruption.CANCELLED) {
			// Also for a handler that completed before it noticed the cancellation.
			this.runtime.supervision().control().dropped(job.id());
		}
		this.runtime.events().publish(told);
	}

	/** Another process may handle the version of the job. */
	private void notHandled(D delivery, JobRun run) {
		if (this.recorder.keeps(run)) {
			Ending ending = new Ending(run.as(Transition.RELEASE), null);
			Attempts.Recording recording = this.recorder.record(delivery, run, ending.told());
			if (recording == Attempts.Recording.RECORDED) {
				// The version has changed since the store was asked. The relay publishes
				// the job again.
				this.source.ack(delivery);
				return;
			}
			recorded(delivery, run, ending, recording);
			return;
		}
		this.source.passOn(delivery, run);
	}

	private void notRecorded(D delivery, @Nullable JobRun run, Throwable failure) {
		if (failure instanceof StoreException refusal && run != null) {
			guarded(delivery, () -> refused(delivery, run, refusal));
			return;
		}
		unsettled(delivery, failure);
	}

	/**
	 * The store accepts neither the job nor its outcome, now or ever. The job becomes a
	 * dead letter, for an operator to look at.
	 */
	private void refused(D delivery, JobRun run, StoreException refusal) {
		logger.error("The job store refuses the outcome of job {} from queue '{}'{}", delivery.shownId(),
				delivery.queue(), delivery.hasMessage() ? ", whose message goes to the dead letter queue" : "",
				refusal);
		JobFailure failure = JobFailure.of(refusal, run.attempt(), this.runtime.clock());
		Ending ending = new Ending(run.as(Transition.REJECT).error(failure.error(), failure.knownHash()), failure);
		try {
			Attempts.Recording recording = this.recorder.record(delivery, run, ending.told());
			if (recording != Attempts.Recording.RECORDED) {
				recorded(delivery, run, ending, recording);
				return;
			}
		}
		catch (StoreException ex) {
			logger.debug("The job store refuses the failure, too", ex);
		}
		// Without a message, the job is only in the store, and has not ended there.
		if (delivery.hasMessage() && this.source.deadLetter(delivery, failure) == Settlement.DEAD_LETTERED) {
			tell(run, ending.told());
		}
	}

	private void guarded(D delivery, Runnable settling) {
		try {
			settling.run();
		}
		catch (Throwable ex) {
			unsettled(delivery, ex);
		}
	}

	private void unsettled(D delivery, Throwable failure) {
		logger.error("Message {} from queue '{}' could not be settled and is given up", delivery.shownId(),
				delivery.queue(), failure);
		try {
			this.source.nack(delivery);
		}
		catch (Throwable ex) {
			logger.error("Nor could message {} be nacked; it is delivered again when the channel is closed",
					delivery.shownId(), ex);
		}
	}

	/**
	 * The end of an attempt.
	 *
	 * @param told the transition, which is recorded and told to listeners
	 * @param failure the failure; {@code null} unless the message is published again
	 */
	private record Ending(JobTransition told, @Nullable JobFailure failure) {

		JobFailure reason() {
			return Objects.requireNonNull(this.failure, () -> this.told.transition() + " has no failure");
		}

	}

}
