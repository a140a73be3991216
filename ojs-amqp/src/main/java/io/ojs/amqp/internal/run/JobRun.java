package io.ojs.amqp.internal.run;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

import io.ojs.event.JobEvent;
import io.ojs.event.internal.JobTransition;
import io.ojs.event.internal.Transition;
import io.ojs.handler.JobContext;
import io.ojs.job.Job;
import io.ojs.retry.RetryOverrides;
import io.ojs.retry.RetryPolicy;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.attempt.Attempts;
import io.ojs.store.internal.attempt.Lease;
import io.ojs.store.internal.attempt.LeaseHolder;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a job, as its handler and its worker see it.
 */
public final class JobRun implements JobContext, RunningJob, LeaseHolder {

	private final Job job;

	private final int attempt;

	private final RetryPolicy policy;

	private final JobRuntime runtime;

	/** The lease of the run; {@code null} without a job store. */
	private final @Nullable Lease lease;

	private final boolean limited;

	private final boolean adopted;

	/**
	 * When the job was claimed, and after {@link #begin()}, when its handler was called.
	 */
	private volatile long began = System.nanoTime();

	/** How long the handler took; {@code null} until it has ended. */
	private volatile @Nullable Duration took;

	private volatile Instant startedAt;

	/** Guards the thread, so that no interrupt hits what it does after the handler. */
	private final ReentrantLock lock = new ReentrantLock();

	/** The handler's thread while the handler runs. */
	private @Nullable Thread thread;

	private volatile @Nullable Interruption interruption;

	private volatile @Nullable Instant lastHeartbeat;

	private volatile boolean begun;

	/** Created on first use, since few handlers use it. */
	private @Nullable Map<String, Object> attributes;

	public JobRun(Job job, int attempt, RetryPolicy policy, JobRuntime runtime) {
		this(job, attempt, policy, runtime, null, false, false);
	}

	public JobRun(Job job, int attempt, RetryPolicy policy, JobRuntime runtime, @Nullable Lease lease, boolean limited,
			boolean adopted) {
		this.job = job;
		this.attempt = attempt;
		this.policy = policy;
		this.runtime = runtime;
		this.lease = lease;
		this.limited = limited;
		this.adopted = adopted;
		this.startedAt = runtime.clock().instant();
	}

	/**
	 * Creates an attempt that the job store has begun. The store's maximum number of
	 * attempts overrides the policies of this application.
	 */
	public static JobRun of(StoredJob stored, Lease lease, boolean limited, boolean adopted, JobRuntime runtime) {
		RetryPolicy policy = runtime.retryPolicies()
			.ofReceived(stored.job())
			.with(RetryOverrides.NONE.maxAttempts(stored.maxAttempts()));
		return new JobRun(stored.job(), stored.job().attempt(), policy, runtime, lease, limited, adopted);
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
	public Instant startedAt() {
		return this.startedAt;
	}

	@Override
	public @Nullable Instant lastHeartbeat() {
		return this.lastHeartbeat;
	}

	public void beat() {
		this.lastHeartbeat = this.runtime.clock().instant();
		Attempts attempts = this.runtime.supervision().attempts();
		if (attempts != null && this.lease != null) {
			attempts.leases().extendSoon();
		}
	}

	/** Whether the job holds a place under a limit. */
	public boolean isLimited() {
		return this.limited;
	}

	/** Whether the job store adopted the job from this message. */
	public boolean isAdopted() {
		return this.adopted;
	}

	public @Nullable Lease lease() {
		return this.lease;
	}

	@Override
	public void lost(boolean cancelled) {
		interrupt(cancelled ? Interruption.CANCELLED : Interruption.LEASE_LOST);
	}

	@Override
	public boolean isCancelled() {
		return this.interruption != null;
	}

	@Override
	public void heartbeat() {
		this.runtime.supervision().control().heartbeat(this.job);
	}

	@Override
	public void progress(double progress, String message) {
		if (!(progress >= 0 && progress <= 1)) {
			throw new IllegalArgumentException("Progress must be between 0.0 and 1.0, but was " + progress + ".");
		}
		this.runtime.events()
			.publish(new JobEvent.Progressed(this.job, this.attempt, maxAttempts(), progress, message));
		Attempts attempts = this.runtime.supervision().attempts();
		if (attempts != null && this.lease != null) {
			attempts.progress().report(this.lease, progress, message);
		}
	}

	@Override
	public Map<String, Object> attributes() {
		if (this.attributes == null) {
			this.attributes = new HashMap<>();
		}
		return this.attributes;
	}

	/**
	 * Marks the beginning of the handler, on this thread.
	 * @return whether it may begin; {@code false} if its lease was lost since the claim,
	 * or the job was cancelled
	 */
	public boolean begin() {
		this.lock.lock();
		try {
			if (this.interruption != null) {
				return false;
			}
			this.begun = true;
			this.began = System.nanoTime();
			this.startedAt = this.runtime.clock().instant();
			this.thread = Thread.currentThread();
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Marks the end of the handler, whatever its result. */
	public void end() {
		thread(null);
		if (this.took == null) {
			this.took = Duration.ofNanos(System.nanoTime() - this.began);
		}
	}

	private void thread(@Nullable Thread value) {
		this.lock.lock();
		try {
			this.thread = value;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** The handler's thread; {@code null} if the handler does not run. */
	public @Nullable Thread thread() {
		this.lock.lock();
		try {
			return this.thread;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Tells the handler to end, or not to begin. The first reason is kept.
	 * @return whether a handler was running
	 */
	public boolean interrupt(Interruption reason) {
		this.lock.lock();
		try {
			if (this.thread == null) {
				if (!this.begun) {
					this.interruption = (this.interruption != null) ? this.interruption : reason;
				}
				return false;
			}
			this.interruption = (this.interruption != null) ? this.interruption : reason;
			this.thread.interrupt();
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	public @Nullable Interruption interruption() {
		return this.interruption;
	}

	public RetryPolicy policy() {
		return this.policy;
	}

	/** A transition of the job by this attempt. */
	public JobTransition as(Transition transition) {
		return new JobTransition(transition, this.job, this.attempt, maxAttempts()).took(elapsed());
	}

	/** How long the handler took, or has taken so far. */
	public Duration elapsed() {
		Duration ended = this.took;
		return (ended != null) ? ended : Duration.ofNanos(System.nanoTime() - this.began);
	}

}
