package io.ojs.amqp.internal.control;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.ojs.internal.fetch.WakeUps;
import io.ojs.internal.log.SafeLogger;
import io.ojs.internal.worker.Heartbeat;
import io.ojs.internal.worker.RemoteWorkers;
import io.ojs.job.IllegalStateTransitionException;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.job.internal.JobRules;
import io.ojs.store.StoreException;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.JobStore;
import io.ojs.store.internal.relay.HandOver;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The jobs of the job store, for requests about them over AMQP.
 */
public final class StoredJobs {

	private static final Logger logger = SafeLogger.of(StoredJobs.class);

	private final JobStore jobs;

	private final @Nullable RemoteWorkers workers;

	private final HandOver handOver;

	private final ControlMessages messages;

	private final Clock clock;

	private final @Nullable WakeUps wakeUps;

	/**
	 * Creates an instance.
	 * @param workers records heartbeats of workers of queues that are handed over;
	 * {@code null} if there are none
	 * @param wakeUps wakes workers of this process; {@code null} if the store delivers no
	 * jobs
	 */
	public StoredJobs(JobStore jobs, @Nullable RemoteWorkers workers, HandOver handOver, ControlMessages messages,
			Clock clock, @Nullable WakeUps wakeUps) {
		this.jobs = jobs;
		this.workers = workers;
		this.handOver = handOver;
		this.messages = messages;
		this.clock = clock;
		this.wakeUps = wakeUps;
	}

	/** Wakes the worker of a queue, since another process reports available jobs. */
	void available(String queue) {
		if (this.wakeUps != null) {
			this.wakeUps.wake(queue);
		}
	}

	/**
	 * Cancels a job.
	 * @throws StoreException if the store cannot be asked
	 */
	Cancellation cancel(String jobId) {
		if (!isId(jobId)) {
			return Cancellation.UNKNOWN;
		}
		try {
			return this.jobs.cancel(jobId, this.clock.instant()).map(this::cancelled).orElse(Cancellation.UNKNOWN);
		}
		catch (IllegalStateTransitionException ex) {
			logger.debug("Job {} is not cancelled: {}", jobId, ex.getMessage());
			return look(jobId);
		}
	}

	private Cancellation cancelled(StoredJob before) {
		Job job = before.job();
		if (job.state() == JobState.ACTIVE) {
			logger.info("Job {} ({}) is cancelled while it runs", job.id(), job.type());
			return Cancellation.INTERRUPT;
		}
		logger.info("Job {} ({}) is cancelled before it ran", job.id(), job.type());
		return Cancellation.NOTHING;
	}

	/**
	 * Looks at a job that another worker has cancelled.
	 * @throws StoreException if the store cannot be asked
	 */
	Cancellation look(String jobId) {
		Optional<StoredJob> found = find(jobId);
		if (found.isEmpty()) {
			return Cancellation.UNKNOWN;
		}
		return (found.get().job().state() == JobState.CANCELLED) ? Cancellation.INTERRUPT : Cancellation.NOTHING;
	}

	private Optional<StoredJob> find(String jobId) {
		return isId(jobId) ? this.jobs.find(jobId) : Optional.empty();
	}

	/** A request may name any text, but the store has only valid ids. */
	private static boolean isId(String jobId) {
		try {
			JobRules.id(jobId);
			return true;
		}
		catch (InvalidJobException ex) {
			return false;
		}
	}

	/** The queues whose workers are other programs. */
	Set<String> handedOver() {
		return this.handOver.queues();
	}

	/**
	 * Records the heartbeat of a job that another program runs, from a queue that is
	 * handed over. A failure is only logged, since the next heartbeat comes soon.
	 */
	void beat(String jobId, String worker) {
		if (this.workers == null || !isId(jobId)) {
			return;
		}
		try {
			this.workers.heartbeat(new Heartbeat(worker, List.of(jobId)));
		}
		catch (StoreUnavailableException ex) {
			logger.warn("The heartbeat of job {} is not recorded: {}", jobId, ex.getMessage());
		}
	}

	/**
	 * The answer about a job.
	 * @return the answer; {@code null} if the store does not know the job, or cannot be
	 * asked now
	 */
	byte @Nullable [] answer(String jobId) {
		try {
			return find(jobId).map((found) -> this.messages.found(found.described(), Map.of())).orElse(null);
		}
		catch (StoreUnavailableException ex) {
			logger.warn("The job store cannot be asked about job {} for now: {}", jobId, ex.getMessage());
			return null;
		}
	}

	/**
	 * What remains to be done for a cancelled job.
	 */
	enum Cancellation {

		/** Nothing: the job will not run, or has ended. */
		NOTHING,

		/** A worker that runs the job must interrupt its handler. */
		INTERRUPT,

		/**
		 * The store does not know the job, so workers must drop it when they receive it.
		 */
		UNKNOWN

	}

}
