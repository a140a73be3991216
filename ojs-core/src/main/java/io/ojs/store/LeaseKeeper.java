package io.ojs.store;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

import io.ojs.job.JobState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Extends the leases of everything that this process runs, all in one call, for as long
 * as the runs last: a handler may take hours without doing anything for it. Tells those
 * who run a job that is no longer theirs.
 */
public final class LeaseKeeper {

	/** Default of how long a lease lasts that is not extended. */
	public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

	private static final Logger logger = LoggerFactory.getLogger(LeaseKeeper.class);

	/**
	 * How often a lease is extended while it lasts. Of thirty seconds 25 are left at any
	 * time, so that a database may be away for twenty.
	 */
	private static final int EXTENSIONS = 6;

	/** Also how long a heartbeat waits for others to go with it. */
	private static final long SOON_MILLIS = 500;

	private final AttemptStore attempts;

	private final JobStore jobs;

	private final Duration lease;

	private final Clock clock;

	private final Map<Lease, LeaseHolder> held = new ConcurrentHashMap<>();

	private final AtomicBoolean soon = new AtomicBoolean();

	private final ReentrantLock lifecycle = new ReentrantLock();

	/** None while it is stopped. */
	private volatile @Nullable ScheduledThreadPoolExecutor timer;

	/** By the timer alone. */
	private boolean away;

	/**
	 * Creates a keeper that does nothing yet.
	 * @param attempts keeps the leases
	 * @param jobs says why one is no longer valid
	 * @param lease how long a lease lasts that is not extended; at least a second
	 * @param clock tells the time
	 * @throws IllegalArgumentException if {@code lease} is shorter
	 */
	public LeaseKeeper(AttemptStore attempts, JobStore jobs, Duration lease, Clock clock) {
		if (lease.compareTo(Duration.ofSeconds(1)) < 0) {
			throw new IllegalArgumentException("A lease must last a second at least, but was to last " + lease + ".");
		}
		this.attempts = attempts;
		this.jobs = jobs;
		this.lease = lease;
		this.clock = clock;
	}

	/** Starts extending leases. Does nothing if it has started. */
	public void start() {
		this.lifecycle.lock();
		try {
			if (this.timer == null) {
				ScheduledThreadPoolExecutor created = new ScheduledThreadPoolExecutor(1, (task) -> {
					Thread thread = new Thread(task, "ojs-leases");
					thread.setDaemon(true);
					return thread;
				});
				created.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
				// What was to be done soon went with the timer before this one.
				this.soon.set(false);
				this.timer = created;
				long pause = this.lease.toMillis() / EXTENSIONS;
				created.scheduleWithFixedDelay(this::extendAll, pause, pause, TimeUnit.MILLISECONDS);
			}
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	/** Stops extending leases: those that are held end by themselves. */
	public void stop() {
		this.lifecycle.lock();
		try {
			ScheduledThreadPoolExecutor stopping = this.timer;
			this.timer = null;
			if (stopping != null) {
				// No interrupt: it might hit the database connection.
				stopping.shutdown();
			}
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	/**
	 * When a lease ends that is taken now.
	 * @param now the present
	 * @return when
	 */
	Instant until(Instant now) {
		return now.plus(this.lease);
	}

	/**
	 * Extends a lease from now on.
	 * @param held the lease
	 * @param holder is told if it is no longer valid
	 */
	public void hold(Lease held, LeaseHolder holder) {
		this.held.put(held, holder);
	}

	/**
	 * Extends a lease no longer.
	 * @param released the lease
	 */
	public void release(Lease released) {
		this.held.remove(released);
	}

	/**
	 * Extends leases in a moment, once for all who ask until then: a handler said that it
	 * is alive. Waits for nothing.
	 */
	public void extendSoon() {
		ScheduledThreadPoolExecutor running = this.timer;
		if (running != null && this.soon.compareAndSet(false, true)) {
			try {
				running.schedule(() -> {
					this.soon.set(false);
					extendAll();
				}, SOON_MILLIS, TimeUnit.MILLISECONDS);
			}
			catch (RejectedExecutionException ex) {
				// Stopped in between.
				this.soon.set(false);
			}
		}
	}

	/** One round, on the thread of the timer. */
	void extendAll() {
		Set<Lease> leases = Set.copyOf(this.held.keySet());
		if (leases.isEmpty()) {
			return;
		}
		try {
			this.attempts.extend(leases, until(this.clock.instant())).forEach(this::lost);
			if (this.away) {
				logger.info("Leases of {} running jobs are extended again", leases.size());
			}
			this.away = false;
		}
		catch (StoreUnavailableException ex) {
			if (!this.away) {
				logger.warn("Leases of {} running jobs cannot be extended for now: {}", leases.size(), ex.getMessage());
			}
			this.away = true;
			extendSoon();
		}
		catch (Throwable ex) {
			// Whatever it is, Errors too, this round must not be the last.
			logger.error("Leases of {} running jobs could not be extended", leases.size(), ex);
		}
	}

	private void lost(Lease lost) {
		LeaseHolder holder = this.held.get(lost);
		if (holder == null) {
			// It has ended while it was asked.
			return;
		}
		boolean cancelled = this.jobs.find(lost.jobId())
			.map((found) -> found.job().state() == JobState.CANCELLED)
			.orElse(false);
		if (this.held.remove(lost, holder)) {
			logger.debug("The lease on job {}, run {}, is no longer valid", lost.jobId(), lost.run());
			holder.lost(cancelled);
		}
	}

}
