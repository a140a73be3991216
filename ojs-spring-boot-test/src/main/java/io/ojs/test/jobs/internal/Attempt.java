package io.ojs.test.jobs.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

import io.ojs.event.JobEvent;
import io.ojs.event.internal.JobEvents;
import io.ojs.event.internal.JobTransition;
import io.ojs.event.internal.Transition;
import io.ojs.handler.JobContext;
import io.ojs.job.Job;
import io.ojs.retry.RetryPolicy;

/**
 * One attempt of a job, as its handler sees it.
 */
final class Attempt implements JobContext {

	private final Job job;

	private final RetryPolicy policy;

	private final TestRuntime runtime;

	private final BooleanSupplier cancelled;

	private final Instant began;

	private final Map<String, Object> attributes = new HashMap<>();

	/**
	 * Begins an attempt.
	 * @param started the job, in the state active
	 * @param runtime the components that work the job
	 * @param cancelled whether the job was cancelled meanwhile
	 */
	Attempt(Job started, TestRuntime runtime, BooleanSupplier cancelled) {
		this.job = started;
		this.policy = runtime.retryPolicies().ofReceived(this.job);
		this.runtime = runtime;
		this.cancelled = cancelled;
		this.began = runtime.clock().instant();
	}

	@Override
	public Job job() {
		return this.job;
	}

	@Override
	public int attempt() {
		return this.job.attempt();
	}

	@Override
	public int maxAttempts() {
		return Math.max(1, this.policy.maxAttempts());
	}

	@Override
	public boolean isCancelled() {
		return this.cancelled.getAsBoolean();
	}

	/** Does nothing, because the lease outlasts the test. */
	@Override
	public void heartbeat() {
	}

	@Override
	public void progress(double progress, String message) {
		if (!(progress >= 0 && progress <= 1)) {
			throw new IllegalArgumentException("Progress must be between 0.0 and 1.0, but was " + progress + ".");
		}
		events().publish(new JobEvent.Progressed(this.job, attempt(), maxAttempts(), progress, message));
	}

	@Override
	public Map<String, Object> attributes() {
		return this.attributes;
	}

	RetryPolicy policy() {
		return this.policy;
	}

	JobEvents events() {
		return this.runtime.events();
	}

	/** A transition of the job by this attempt. */
	JobTransition as(Transition transition) {
		return new JobTransition(transition, this.job, attempt(), maxAttempts()).took(elapsed());
	}

	/** The time since the attempt began, by the clock of the test. */
	Duration elapsed() {
		return Duration.between(this.began, this.runtime.clock().instant());
	}

}
