package io.ojs.amqp.listen;

import java.time.Duration;

import io.ojs.event.JobEvent;
import io.ojs.event.JobEvents;
import io.ojs.handler.JobContext;
import io.ojs.job.Job;
import io.ojs.retry.RetryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a job: what its handler is given, and what came of it.
 */
final class JobRun implements JobContext {

	private final Job job;

	private final int attempt;

	private final RetryPolicy policy;

	private final JobEvents events;

	private final long startedAt = System.nanoTime();

	private @Nullable Object result;

	JobRun(Job job, int attempt, RetryPolicy policy, JobEvents events) {
		this.job = job;
		this.attempt = attempt;
		this.policy = policy;
		this.events = events;
	}

	@Override
	public Job job() {
		return this.job;
	}

	@Override
	public int attempt() {
		return this.attempt;
	}

	@Override
	public int maxAttempts() {
		return Math.max(1, this.policy.maxAttempts());
	}

	@Override
	public void progress(double progress, String message) {
		if (!(progress >= 0 && progress <= 1)) {
			throw new IllegalArgumentException("Progress must be between 0.0 and 1.0, but was " + progress + ".");
		}
		this.events.publish(new JobEvent.Progressed(this.job, this.attempt, maxAttempts(), progress, message));
	}

	/** What becomes of the job if this attempt fails. */
	RetryPolicy policy() {
		return this.policy;
	}

	void succeeded(@Nullable Object value) {
		this.result = value;
	}

	@Nullable Object result() {
		return this.result;
	}

	Duration elapsed() {
		return Duration.ofNanos(System.nanoTime() - this.startedAt);
	}

}
