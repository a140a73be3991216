package io.ojs.event;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.ojs.job.Job;
import io.ojs.job.JobError;
import org.jspecify.annotations.Nullable;

/**
 * What has become of one job. The one place that makes events for listeners.
 *
 * @param transition what
 * @param job the job
 * @param attempt the attempt, or the one that did not begin
 * @param maxAttempts how often the job may be executed in all
 * @param error what went wrong, if something did
 * @param took how long the attempt took
 * @param delay when the next attempt may begin
 * @param result what the handler returned
 */
public record JobTransition(Transition transition, Job job, int attempt, int maxAttempts, @Nullable JobError error,
		Duration took, Duration delay, @Nullable Object result) {

	/**
	 * A transition of which nothing else is to be told.
	 * @param transition what has become of the job
	 * @param job the job
	 * @param attempt the attempt, or the one that did not begin
	 * @param maxAttempts how often the job may be executed in all
	 */
	public JobTransition(Transition transition, Job job, int attempt, int maxAttempts) {
		this(transition, job, Math.max(1, attempt), Math.max(1, maxAttempts), null, Duration.ZERO, Duration.ZERO, null);
	}

	/**
	 * Adds an error.
	 * @param value what went wrong
	 * @return the transition with it
	 */
	public JobTransition error(JobError value) {
		return new JobTransition(this.transition, this.job, this.attempt, this.maxAttempts, value, this.took,
				this.delay, this.result);
	}

	/**
	 * Adds a duration.
	 * @param value how long the attempt took
	 * @return the transition with it
	 */
	public JobTransition took(Duration value) {
		return new JobTransition(this.transition, this.job, this.attempt, this.maxAttempts, this.error, value,
				this.delay, this.result);
	}

	/**
	 * Adds a delay.
	 * @param value when the next attempt may begin
	 * @return the transition with it
	 */
	public JobTransition delay(Duration value) {
		return new JobTransition(this.transition, this.job, this.attempt, this.maxAttempts, this.error, this.took,
				value, this.result);
	}

	/**
	 * Adds a result.
	 * @param value what the handler returned
	 * @return the transition with it
	 */
	public JobTransition result(@Nullable Object value) {
		return new JobTransition(this.transition, this.job, this.attempt, this.maxAttempts, this.error, this.took,
				this.delay, value);
	}

	/**
	 * What listeners are told.
	 * @return the events, in their order
	 */
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
	 * What went wrong.
	 * @return the error
	 * @throws NullPointerException if nothing did
	 */
	public JobError cause() {
		return Objects.requireNonNull(this.error,
				() -> this.transition + " of job " + this.job.id() + " has no error.");
	}

}
