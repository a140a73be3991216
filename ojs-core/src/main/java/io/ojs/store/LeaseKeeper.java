package io.ojs.store;

import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.ojs.job.JobState;
import io.ojs.log.SafeLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Extends the leases of everything that this process runs, all that are equally long in
 * one call, for as long as the runs last: a handler may take hours without doing anything
 * for it. Tells those who run a job that is no longer theirs.
 */
public final class LeaseKeeper {

	/** The shortest lease. */
	public static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);

	/** Default of how long a lease lasts that is not extended. */
	public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

	private static final Logger logger = SafeLogger.of(LeaseKeeper.class);

	/**
	 * How often a lease is extended while it lasts. Of thirty seconds 25 are left at any
	 * time, so that a database may be away for twenty.
	 */
	private static final int EXTENSIONS = 6;

	/** Also how long a heartbeat waits for others to go with it. */
	private static final long SOON_MILLIS = 500;

	private final AttemptStore attempts;

	private final JobStore jobs;

	private final Function<String, Duration> leases;

	private final Clock clock;

	private final Map<Lease, Held> held = new ConcurrentHashMap<>();

	/** How long leases are that the timer extends by now. */
	private final Set<Duration> rounds = ConcurrentHashMap.newKeySet();

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
	 * @param leases how long a lease on a job of a queue lasts that is not extended; at
	 * least a second
	 * @param clock tells the time
	 */
	public LeaseKeeper(AttemptStore attempts, JobStore jobs, Function<String, Duration> leases, Clock clock) {
		this.attempts = attempts;
		this.jobs = jobs;
		this.leases = leases;
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
				this.rounds.clear();
				lengths().forEach((length) -> begin(created, length));
			}
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	/** Extends leases of one length again and again, while they last. */
	private void begin(ScheduledThreadPoolExecutor running, Duration length) {
		if (this.rounds.add(length)) {
			long pause = length.toMillis() / EXTENSIONS;
			running.scheduleWithFixedDelay(() -> extend(length), pause, pause, TimeUnit.MILLISECONDS);
		}
	}

	private Set<Duration> lengths() {
		return this.held.values().stream().map(Held::length).collect(Collectors.toSet());
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
	 * How long a lease lasts that is taken now and not extended.
	 * @param queue the queue of the job
	 * @return at least a second
	 * @throws IllegalArgumentException if it was to be shorter
	 */
	public Duration length(String queue) {
		Duration length = this.leases.apply(queue);
		if (length.compareTo(SHORTEST_LEASE) < 0) {
			throw new IllegalArgumentException(
					"A lease must last a second at least, but was to last %s in queue '%s'.".formatted(length, queue));
		}
		return length;
	}

	/**
	 * Extends a lease from now on.
	 * @param held the lease
	 * @param length how long it lasts, now and whenever it is extended
	 * @param holder is told if it is no longer valid
	 */
	public void hold(Lease held, Duration length, LeaseHolder holder) {
		this.held.put(held, new Held(holder, length));
		if (!this.rounds.contains(length)) {
			this.lifecycle.lock();
			try {
				if (this.timer != null) {
					begin(this.timer, length);
				}
			}
			finally {
				this.lifecycle.unlock();
			}
		}
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

	/** All of them, on the thread of the timer. */
	void extendAll() {
		for (Duration length : lengths()) {
			if (!extend(length)) {
				return;
			}
		}
	}

	/** Those of one length. Returns whether the database was there. */
	private boolean extend(Duration length) {
		Set<Lease> leases = this.held.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().length().equals(length))
			.map(Map.Entry::getKey)
			.collect(Collectors.toUnmodifiableSet());
		if (leases.isEmpty()) {
			return true;
		}
		try {
			this.attempts.extend(leases, this.clock.instant().plus(length)).forEach(this::lost);
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
			return false;
		}
		catch (Throwable ex) {
			// Whatever it is, Errors too, this round must not be the last.
			logger.error("Leases of {} running jobs could not be extended", leases.size(), ex);
		}
		return true;
	}

	private void lost(Lease lost) {
		Held holder = this.held.get(lost);
		if (holder == null) {
			// It has ended while it was asked.
			return;
		}
		boolean cancelled = this.jobs.find(lost.jobId())
			.map((found) -> found.job().state() == JobState.CANCELLED)
			.orElse(false);
		if (this.held.remove(lost, holder)) {
			logger.debug("The lease on job {}, run {}, is no longer valid", lost.jobId(), lost.run());
			holder.holder().lost(cancelled);
		}
	}

	/**
	 * Who holds a lease.
	 *
	 * @param holder is told if it is no longer valid
	 * @param length how long it lasts
	 */
	private record Held(LeaseHolder holder, Duration length) {
	}

}
