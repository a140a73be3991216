package io.ojs.amqp.internal.listen;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.ojs.amqp.internal.message.Republishing;
import io.ojs.amqp.internal.run.JobRun;
import io.ojs.amqp.internal.run.JobRuntime;
import io.ojs.handler.JobExpiredException;
import io.ojs.handler.internal.JobFailure;
import io.ojs.internal.log.SafeLogger;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.job.UndecodableJobException;
import io.ojs.job.internal.ForeignText;
import io.ojs.job.internal.JobRules;
import io.ojs.job.internal.Rfc3339;
import io.ojs.retry.FailureResponse;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.attempt.Claim;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Settles deliveries whose jobs the job store did not give to this worker. The store has
 * recorded already what becomes of these jobs.
 */
final class UnclaimedDeliveries {

	private static final Logger logger = SafeLogger.of(UnclaimedDeliveries.class);

	/** The shortest delay before another worker gets a job that only the broker has. */
	private static final Duration SOON = Duration.ofSeconds(1);

	/**
	 * The longest delay. A message in a retry queue does not hold up others, but each
	 * delivery has a cost.
	 */
	private static final Duration LATE = Duration.ofSeconds(30);

	private final DeliverySettler settler;

	private final JobRuntime runtime;

	/** Types for which the log already says that other workers must run some versions. */
	private final Set<String> told = ConcurrentHashMap.newKeySet();

	UnclaimedDeliveries(DeliverySettler settler, JobRuntime runtime) {
		this.settler = settler;
		this.runtime = runtime;
	}

	/**
	 * Settles a delivery.
	 * @param claim the store's answer; {@code null} if the store did not answer, so that
	 * the broker delivers the job again
	 */
	void settle(BrokerDelivery delivery, @Nullable Claim claim) {
		if (claim instanceof Claim.NotDue early) {
			postpone(delivery, early);
		}
		else if (claim instanceof Claim.Expired late) {
			expired(delivery, late.job());
		}
		else if (claim instanceof Claim.Exhausted lost) {
			exhausted(delivery, lost.job());
		}
		else if (claim instanceof Claim.Forged) {
			forged(delivery);
		}
		else if (claim instanceof Claim.Limited limited) {
			logger.debug("Job {} is {}: the rate limit '{}' does not let it start now", limited.job().job().id(),
					limited.job().job().state(), limited.key());
			this.settler.ack(delivery);
		}
		else if (claim instanceof Claim.WaitForWorker wait) {
			tell(wait.job().job(), wait.until());
			this.settler.ack(delivery);
		}
		else if (claim instanceof Claim.Elsewhere moved) {
			logger.debug("Message {} from queue '{}' is dropped: its job is in queue '{}' now",
					delivery.properties().getMessageId(), delivery.queue(), moved.queue());
			this.settler.ack(delivery);
		}
		else if (claim instanceof Claim.Gone) {
			logger.debug("Message {} from queue '{}' is dropped: its job has ended, and the store has deleted it",
					delivery.properties().getMessageId(), delivery.queue());
			this.settler.ack(delivery);
		}
		else if (claim instanceof Claim.Duplicate duplicate) {
			logger.debug("Message {} from queue '{}' is dropped: its job is {}", delivery.properties().getMessageId(),
					delivery.queue(), duplicate.state());
			this.settler.ack(delivery);
		}
	}

	/**
	 * Passes a job on to a worker that handles its version, through a retry queue, since
	 * only the broker has the job.
	 */
	void passOn(BrokerDelivery delivery, JobRun run) {
		Instant now = this.runtime.clock().instant();
		Instant since = Republishing.heldSince(delivery.properties(), now);
		Duration pause = Duration.between(since, now).dividedBy(4);
		pause = (pause.compareTo(SOON) < 0) ? SOON : (pause.compareTo(LATE) > 0) ? LATE : pause;
		tell(run.job(), now.plus(pause));
		this.settler.passOn(delivery, pause,
				(millis) -> Republishing.forOthers(delivery.properties(), run.attempt(), since, millis),
				JobFailure.of(new VersionNotHandledException(run.job()), run.attempt(), this.runtime.clock()));
	}

	private void tell(Job job, Instant until) {
		if (this.told.add(job.type())) {
			logger.info("Job {} ({}) of version {} waits for a worker that takes this version, as will others: no "
					+ "handler here does. Told once for each type", job.id(), job.type(), job.version());
		}
		logger.debug("Job {} of version {} waits for another worker until {}", job.id(), job.version(), until);
	}

	/** A scheduled job needs no message: the relay publishes one when it is due. */
	private void postpone(BrokerDelivery delivery, Claim.NotDue early) {
		Job job = early.job().job();
		if (job.state() == JobState.SCHEDULED) {
			logger.debug("Job {} is not due before {}; its message is dropped", job.id(), early.dueAt());
			this.settler.ack(delivery);
			return;
		}
		Duration left = Duration.between(this.runtime.clock().instant(), early.dueAt());
		logger.debug("Job {} is not due before {}; its message waits", job.id(), early.dueAt());
		this.settler.postpone(delivery, left.isNegative() ? Duration.ZERO : left, (millis) -> Republishing
			.forLater(this.runtime.supervision().ofStore(delivery.properties()), job.attempt() + 1, millis));
	}

	private void expired(BrokerDelivery delivery, StoredJob stored) {
		Job job = stored.job();
		JobExpiredException reason = new JobExpiredException(
				(job.expiresAt() != null) ? job.expiresAt() : Rfc3339.utc(this.runtime.clock().instant()));
		JobFailure failure = JobFailure.of(reason, Math.max(1, job.attempt()), this.runtime.clock());
		logger.warn("Job {} ({}) goes to the dead letter queue. {}", job.id(), job.type(), failure.error().message());
		this.settler.deadLetter(delivery, failure);
	}

	private void forged(BrokerDelivery delivery) {
		UndecodableJobException reason = new UndecodableJobException(
				"Jobs of type '%s' are made by the application that works them, and its job store does not have this one."
					.formatted(JobRules.WEBHOOK_TYPE));
		logger.warn("Message {} from queue '{}' goes to the dead letter queue. {}",
				ForeignText.show(delivery.properties().getMessageId()), delivery.queue(), reason.getMessage());
		this.settler.deadLetter(delivery, JobFailure.of(reason, 1, this.runtime.clock()));
	}

	private void exhausted(BrokerDelivery delivery, StoredJob stored) {
		Job job = stored.job();
		JobError last = job.errors().get(job.errors().size() - 1);
		logger.warn("Job {} ({}) goes to the dead letter queue: attempt {}, its last, was lost. {}", job.id(),
				job.type(), job.attempt(), last.message());
		this.settler.deadLetter(delivery, JobFailure.recorded(last, FailureResponse.DEAD_LETTER));
	}

}
