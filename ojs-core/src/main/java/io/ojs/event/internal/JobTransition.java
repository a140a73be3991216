package io.ojs.event.internal;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.ojs.event.JobEvent;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import org.jspecify.annotations.Nullable;

/**
 * The transition of one job. Only this class creates the events of transitions for
 * listeners.
 *
 * @param transition the transition
 * @param job the job
 * @param attempt the attempt, or the one that did not begin
 * @param maxAttempts how often the job may be executed in all
 * @param error the error, if there is one
 * @param errorHash the hash that failures at the same place in the code have in common;
 * {@code null} if it is not known
 * @param took how long the attempt took
 * @param delay how long the job waits for the next attempt
 * @param result the value that the handler returned
 */
public record JobTransition(Transition transition, Job job, int attempt, int maxAttempts, @Nullable JobError error,
		@Nullable String errorHash, Duration took, Duration delay, @Nullable Object result) {

	/**
	 * Creates a transition without an error, duration, delay or result.
	 * @param attempt the attempt, or the one that did not begin; values below 1 count as
	 * 1
	 * @param maxAttempts how often the job may be executed in all; values below 1 count
	 * as 1
	 */
	public JobTransition(Transition transition, Job job, int attempt, int maxAttempts) {
		this(transition, job, Math.max(1, attempt), Math.max(1, maxAttempts), null, null, Duration.ZERO, Duration.ZERO,
				null);
	}

	/** Adds an error. */
	public JobTransition error(JobError value) {
		return error(value, null);
	}

	/** Adds an error and the hash of its place in the code. */
	public JobTransition error(JobError value, @Nullable String hash) {
		return new JobTransition(this.transition, this.job, this.attempt, this.maxAttempts, value, hash, this.took,
				this.delay, this.result);
	}

	/** Adds a duration. */
	public JobTransition took(Duration value) {
		return new JobTransition(this.transition, this.job, this.attempt, this.maxAttempts, this.error, this.errorHash,
				value, this.delay, this.result);
	}

	/**
	 * Adds a delay.
	 * @param value how long the job waits for the next attempt
	 */
	public JobTransition delay(Duration value) {
		return new JobTransition(this.transition, this.job, this.attempt, this.maxAttempts, this.error, this.errorHash,
				this.took, value, this.result);
	}

	/** Adds a result. */
	public JobTransition result(@Nullable Object value) {
		return new JobTransition(this.transition, this.job, this.attempt, this.maxAttempts, this.error, this.errorHash,
				this.took, this.delay, value);
	}

	/** The events for listeners. */
	public List<JobEvent> events() {
		return this.transition.tellings().stream().map(this::event).toList();
	}

	private JobEvent event(Transition.Telling telling) {
		return switch (telling) {
			case ENQUEUED -> new JobEvent.Enqueued(this.job, this.transition.isAgain());
			case SCHEDULED -> new JobEvent.Scheduled(this.job, this.transition.isAgain());
			case STARTED -> new JobEvent.Started(this.job, this.attempt, this.maxAttempts);
			case COMPLETED -> new JobEvent.Completed(this.job, this.attempt, this.maxAttempts, this.took, this.result);
			case FAILED -> new JobEvent.Failed(this.job, this.attempt, this.maxAttempts, cause(), this.took);
			case RETRYING -> new JobEvent.Retrying(this.job, this.attempt, this.maxAttempts, cause(), this.delay);
			case RETRY_EXHAUSTED -> new JobEvent.RetryExhausted(this.job, this.attempt, this.maxAttempts, cause());
			case DEAD_LETTERED -> new JobEvent.DeadLettered(this.job, this.attempt, this.maxAttempts, cause());
			case DISCARDED -> new JobEvent.Discarded(this.job, this.attempt, this.maxAttempts, cause());
			case EXPIRED -> new JobEvent.Expired(this.job);
			case CANCELLED -> new JobEvent.Cancelled(this.job, this.attempt, this.maxAttempts);
			case HANDED_OVER -> new JobEvent.HandedOver(this.job);
		};
	}

	/**
	 * The error of the transition.
	 * @throws NullPointerException if the transition has no error
	 */
	public JobError cause() {
		return Objects.requireNonNull(this.error,
				() -> this.transition + " of job " + this.job.id() + " has no error.");
	}

}
