package io.ojs.amqp.listen;

import java.time.Duration;
import java.util.random.RandomGenerator;

import com.rabbitmq.client.Channel;
import io.ojs.amqp.message.Republishing;
import io.ojs.amqp.topology.Shard;
import io.ojs.event.Transition;
import io.ojs.handler.FailureDecision;
import io.ojs.handler.JobCancelledException;
import io.ojs.handler.JobFailure;
import io.ojs.job.ForeignText;
import io.ojs.job.JobError;
import io.ojs.log.SafeLogger;
import io.ojs.store.StoreException;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.listener.ListenerExecutionFailedException;

/**
 * Stands around the listener: lets it run once, then decides what becomes of the
 * delivery, and settles it, once. Success is acked; a failure goes to a retry lane, to
 * the dead letter queue, or away. It never runs a job twice within one delivery and never
 * sleeps on one: a retry is a new delivery, so that a waiting job holds neither a thread
 * nor a place in the prefetch.
 *
 * <p>
 * Nothing leaves it, neither an exception nor an interrupt of the handler's making: both
 * would stop the consumer, and cost its prefetched neighbours a delivery.
 */
final class RetryInterceptor implements MethodInterceptor {

	private static final Logger logger = SafeLogger.of(RetryInterceptor.class);

	private final Shard shard;

	private final DeliverySettler settler;

	private final AttemptLedger ledger;

	private final UnclaimedDeliveries unclaimed;

	private final JobRuntime runtime;

	RetryInterceptor(Shard shard, DeliverySettler settler, AttemptLedger ledger, JobRuntime runtime) {
		this.shard = shard;
		this.settler = settler;
		this.ledger = ledger;
		this.unclaimed = new UnclaimedDeliveries(settler, runtime);
		this.runtime = runtime;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) {
		Delivery delivery = new Delivery(this.shard, (Channel) invocation.getArguments()[0],
				(Message) invocation.getArguments()[1]);
		Throwable thrown = null;
		try {
			invocation.proceed();
		}
		catch (Throwable ex) {
			thrown = unwrap(ex);
		}
		boolean interrupted = Thread.interrupted();
		JobRun run = delivery.run();
		if (thrown == null && run != null && this.ledger.mayWait(run)) {
			completedLater(delivery, run);
			return null;
		}
		try {
			settle(delivery, thrown, interrupted);
		}
		catch (StoreException ex) {
			refused(delivery, ex);
		}
		catch (Throwable ex) {
			unsettled(delivery, ex);
		}
		finally {
			this.ledger.close(delivery.run());
			if (interrupted && this.settler.isStopping()) {
				Thread.currentThread().interrupt();
			}
		}
		return null;
	}

	/** The container wraps what the listener throws. */
	private static Throwable unwrap(Throwable thrown) {
		boolean wrapped = thrown instanceof ListenerExecutionFailedException;
		return (wrapped && thrown.getCause() != null) ? thrown.getCause() : thrown;
	}

	private void settle(Delivery delivery, @Nullable Throwable thrown, boolean interrupted) {
		JobRun run = delivery.run();
		if (thrown instanceof NotClaimedException refused) {
			this.unclaimed.settle(delivery, refused.claim());
			return;
		}
		if (thrown instanceof VersionNotHandledException notHere && run != null) {
			notHere(delivery, run, notHere);
			return;
		}
		if (thrown == null) {
			completed(delivery, run);
			return;
		}
		if (thrown instanceof JobCancelledException && run != null) {
			cancelled(delivery, run);
			return;
		}
		if (run != null && run.interruption() == Interruption.LEASE_LOST) {
			this.ledger.lost(delivery, run);
			return;
		}
		boolean stopped = run != null && run.interruption() == Interruption.STOPPED;
		if (stopped || (this.settler.isStopping() && (interrupted || thrown instanceof InterruptedException))) {
			// Not a failure: the broker hands the job out again when the channel is
			// closed.
			if (run != null) {
				this.ledger.released(delivery, run);
			}
			return;
		}
		JobFailure failure = JobFailure.of(thrown, (run != null) ? run.attempt() : 0, this.runtime.clock());
		if (run == null) {
			logger.warn("A message in queue '{}' is no job and goes to the dead letter queue. {}", this.shard.queue(),
					failure.error().message());
			this.settler.deadLetter(delivery, failure);
			return;
		}
		FailureDecision decision = FailureDecision.of(failure, run.policy(), run.attempt(),
				RandomGenerator.getDefault());
		if (decision instanceof FailureDecision.Retry retry) {
			retry(delivery, run, retry, thrown);
		}
		else if (decision instanceof FailureDecision.DeadLetter dead) {
			deadLetter(delivery, run, dead, thrown);
		}
		else if (decision instanceof FailureDecision.Discard discard) {
			discard(delivery, run, discard, thrown);
		}
	}

	/** Another process may have a handler for it. */
	private void notHere(Delivery delivery, JobRun run, VersionNotHandledException reason) {
		if (this.ledger.keeps(run)) {
			// Its version has changed since the store was asked. The relay comes for it.
			this.ledger.released(delivery, run);
			this.settler.ack(delivery);
			return;
		}
		this.unclaimed.passOn(delivery, run, JobFailure.of(reason, run.attempt(), this.runtime.clock()));
	}

	/**
	 * The next job begins while it is recorded that this one has succeeded: what many
	 * threads have to record goes together, and none of them has to wait for it.
	 */
	private void completedLater(Delivery delivery, JobRun run) {
		this.ledger.completedLater(delivery, run, () -> guarded(delivery, () -> recorded(delivery, run)),
				(failure) -> guarded(delivery, () -> notRecorded(delivery, failure)));
	}

	private void notRecorded(Delivery delivery, Throwable failure) {
		if (failure instanceof StoreException refusal) {
			refused(delivery, refusal);
			return;
		}
		unsettled(delivery, failure);
	}

	private void guarded(Delivery delivery, Runnable settling) {
		try {
			settling.run();
		}
		catch (Throwable ex) {
			unsettled(delivery, ex);
		}
	}

	private void unsettled(Delivery delivery, Throwable failure) {
		logger.error("Message {} from queue '{}' could not be settled and goes to the dead letter queue",
				delivery.shownId(), this.shard.queue(), failure);
		this.settler.nack(delivery);
	}

	private void completed(Delivery delivery, @Nullable JobRun run) {
		if (run == null || this.ledger.completed(delivery, run)) {
			recorded(delivery, run);
		}
	}

	private void recorded(Delivery delivery, @Nullable JobRun run) {
		boolean acked = this.settler.ack(delivery);
		if (run != null && (acked || this.ledger.keeps(run))) {
			if (run.interruption() == Interruption.CANCELLED) {
				// Too late: the handler has done its work.
				this.runtime.supervision().control().dropped(run.job().id());
			}
			this.runtime.events().publish(run.as(Transition.SUCCEED).result(run.result()));
		}
	}

	private void cancelled(Delivery delivery, JobRun run) {
		if (!this.ledger.cancelled(delivery, run)) {
			return;
		}
		logger.info("Job {} ({}) was cancelled at attempt {}", run.job().id(), run.job().type(), run.attempt());
		if (this.settler.ack(delivery) || this.ledger.keeps(run)) {
			this.runtime.supervision().control().dropped(run.job().id());
			this.runtime.events().publish(run.as(Transition.CANCEL));
		}
	}

	private void retry(Delivery delivery, JobRun run, FailureDecision.Retry retry, Throwable thrown) {
		JobError error = retry.failure().error();
		logger.info("Job {} ({}) failed at attempt {} of {} and is tried again in {}: {}", run.job().id(),
				run.job().type(), run.attempt(), run.maxAttempts(), retry.delay(), ForeignText.escape(error.message()));
		logger.debug("Job {} failed", run.job().id(), thrown);
		if (!this.ledger.retried(delivery, run, error, retry.delay())) {
			return;
		}
		if (this.ledger.keeps(run)) {
			this.settler.postpone(delivery, retry.delay(),
					(millis) -> Republishing.forRetry(this.runtime.supervision().ofStore(delivery.properties()),
							run.attempt() + 1, error, millis, delivery.frameMax()));
			tell(run, retry.transition(), error, retry.delay());
			return;
		}
		DeliverySettler.Settlement settlement = this.settler.retry(delivery, run.attempt() + 1, retry.failure(),
				retry.delay());
		if (settlement == DeliverySettler.Settlement.RETRIED) {
			tell(run, retry.transition(), error, retry.delay());
		}
		else if (settlement == DeliverySettler.Settlement.DEAD_LETTERED) {
			tell(run, Transition.REJECT, error, Duration.ZERO);
		}
	}

	private void tell(JobRun run, Transition transition, JobError error, Duration delay) {
		this.runtime.events().publish(run.as(transition).error(error).delay(delay));
	}

	private void deadLetter(Delivery delivery, JobRun run, FailureDecision.DeadLetter decision, Throwable thrown) {
		logger.warn("Job {} ({}) failed at attempt {} of {} and goes to the dead letter queue", run.job().id(),
				run.job().type(), run.attempt(), run.maxAttempts(), thrown);
		JobError error = decision.failure().error();
		if (!this.ledger.discarded(delivery, run, error, decision.exhausted(), true)) {
			return;
		}
		if (this.settler.deadLetter(delivery, decision.failure()) == DeliverySettler.Settlement.DEAD_LETTERED
				|| this.ledger.keeps(run)) {
			// Only a job that has expired has not begun and fails all the same.
			tell(run, run.hasStarted() ? decision.transition() : Transition.EXPIRE, error, Duration.ZERO);
		}
	}

	private void discard(Delivery delivery, JobRun run, FailureDecision.Discard decision, Throwable thrown) {
		logger.warn("Job {} ({}) failed at attempt {} of {} and is discarded", run.job().id(), run.job().type(),
				run.attempt(), run.maxAttempts(), thrown);
		JobError error = decision.failure().error();
		if (!this.ledger.discarded(delivery, run, error, decision.exhausted(), false)) {
			return;
		}
		if (this.settler.ack(delivery) || this.ledger.keeps(run)) {
			tell(run, decision.transition(), error, Duration.ZERO);
		}
	}

	/**
	 * The store takes neither the job nor what became of it, now or ever: a dead letter,
	 * so that somebody looks at it.
	 */
	private void refused(Delivery delivery, StoreException refusal) {
		JobRun run = delivery.run();
		logger.error("The job store refuses what became of message {} from queue '{}', which goes to the dead letter "
				+ "queue", delivery.properties().getMessageId(), this.shard.queue(), refusal);
		JobFailure failure = JobFailure.of(refusal, (run != null) ? run.attempt() : 0, this.runtime.clock());
		try {
			if (run != null && !this.ledger.discarded(delivery, run, failure.error(), false, true)) {
				return;
			}
		}
		catch (StoreException ex) {
			logger.debug("The job store refuses that, too", ex);
		}
		if (this.settler.deadLetter(delivery, failure) == DeliverySettler.Settlement.DEAD_LETTERED && run != null) {
			tell(run, Transition.REJECT, failure.error(), Duration.ZERO);
		}
	}

}
