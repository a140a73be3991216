package io.ojs.store.internal.attempt;

import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Supplier;

import io.ojs.internal.log.SafeLogger;
import io.ojs.internal.thread.Threads;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.internal.StoreClock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Extends the leases of all runs of this process by heartbeats of the process, so that a
 * handler may take hours without reporting. Notifies the holders of leases that are no
 * longer valid.
 */
public final class LeaseKeeper {

	/** The shortest lease. */
	public static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);

	/** The default duration of a lease that is not extended. */
	public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

	private static final Logger logger = SafeLogger.of(LeaseKeeper.class);

	/**
	 * Heartbeats for each duration of the shortest lease. Of thirty seconds 25 are left
	 * at any time, so the database may be away for twenty.
	 */
	private static final int BEATS = 6;

	/**
	 * How long to wait before the next heartbeat after a failure, or for other handlers
	 * that ask for one.
	 */
	private static final long SOON_MILLIS = 500;

	/** How long a start waits for the connection that heartbeats need. */
	private static final Duration FIRST_BEAT = Duration.ofSeconds(2);

	private final ProcessStore processes;

	private final String process;

	private final Function<String, Duration> leases;

	private final StoreClock clock;

	private final Supplier<ScheduledThreadPoolExecutor> timers;

	private final Map<Lease, Held> held = new ConcurrentHashMap<>();

	private final AtomicBoolean soon = new AtomicBoolean();

	private final ReentrantLock lifecycle = new ReentrantLock();

	/** {@code null} while the keeper is stopped. */
	private volatile @Nullable ScheduledThreadPoolExecutor timer;

	/** The shortest lease since the start, which sets the pace of heartbeats. */
	private volatile Duration shortest = DEFAULT_LEASE;

	private @Nullable ScheduledFuture<?> beats;

	/** Whether the last heartbeat failed. Used by the timer's thread alone. */
	private boolean away;

	/**
	 * Creates a keeper that is not started.
	 * @param process the unique name of this process; at most 128 characters
	 * @param leases returns how long a lease on a job of a queue lasts without a
	 * heartbeat; at least a second
	 */
	public LeaseKeeper(ProcessStore processes, String process, Function<String, Duration> leases, StoreClock clock) {
		this(processes, process, leases, clock, LeaseKeeper::newTimer);
	}

	LeaseKeeper(ProcessStore processes, String process, Function<String, Duration> leases, StoreClock clock,
			Supplier<ScheduledThreadPoolExecutor> timers) {
		this.processes = processes;
		this.process = process;
		this.leases = leases;
		this.clock = clock;
		this.timers = timers;
	}

	private static ScheduledThreadPoolExecutor newTimer() {
		return new ScheduledThreadPoolExecutor(1, LeaseKeeper::newThread);
	}

	static Thread newThread(Runnable task) {
		return Threads.daemon(task, "ojs-leases");
	}

	/**
	 * Returns the unique name of this process.
	 * @return the name under which the store knows its leases
	 */
	public String process() {
		return this.process;
	}

	/**
	 * Starts the heartbeats. Waits up to two seconds for the first one, so that it gets
	 * the connection that all others need before jobs use up the pool. Does nothing if
	 * the keeper has been started.
	 */
	public void start() {
		this.lifecycle.lock();
		try {
			if (this.timer == null) {
				ScheduledThreadPoolExecutor created = this.timers.get();
				created.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
				created.setRemoveOnCancelPolicy(true);
				// A heartbeat that was to follow soon went with the timer before this
				// one.
				this.soon.set(false);
				this.timer = created;
				await(created.submit(this::beat));
				this.shortest = this.held.values()
					.stream()
					.map(Held::length)
					.reduce(DEFAULT_LEASE, BinaryOperator.minBy(Comparator.naturalOrder()));
				pace(created);
			}
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	private static void await(Future<?> first) {
		try {
			first.get(FIRST_BEAT.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException | ExecutionException ex) {
			logger.debug("The first beat takes long", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** Sets the pace of heartbeats by the shortest lease. */
	private void pace(ScheduledThreadPoolExecutor running) {
		if (this.beats != null) {
			this.beats.cancel(false);
		}
		long pause = this.shortest.toMillis() / BEATS;
		this.beats = running.scheduleWithFixedDelay(this::beat, pause, pause, TimeUnit.MILLISECONDS);
	}

	/** Stops the heartbeats: leases that are held end by themselves. */
	public void stop() {
		this.lifecycle.lock();
		try {
			ScheduledThreadPoolExecutor stopping = this.timer;
			this.timer = null;
			this.beats = null;
			if (stopping != null) {
				// Without an interrupt, which might close the database connection.
				await(stopping.submit(() -> {
					this.processes.close();
					stopping.shutdown();
				}));
			}
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	/**
	 * Returns how long a lease lasts that begins now and is not extended.
	 * @throws IllegalArgumentException if the configured duration is shorter
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
	 * @param length how long it lasts without a heartbeat of this process
	 * @param holder is notified if the lease is no longer valid
	 */
	public void hold(Lease held, Duration length, LeaseHolder holder) {
		this.held.put(held, new Held(holder, length));
		if (length.compareTo(this.shortest) < 0) {
			this.lifecycle.lock();
			try {
				if (this.timer != null && length.compareTo(this.shortest) < 0) {
					this.shortest = length;
					pace(this.timer);
				}
			}
			finally {
				this.lifecycle.unlock();
			}
		}
	}

	/** Stops extending a lease. */
	public void release(Lease released) {
		this.held.remove(released);
	}

	/**
	 * Beats in half a second, once for all calls until then: a handler has reported that
	 * it is alive. Does not wait.
	 */
	public void extendSoon() {
		ScheduledThreadPoolExecutor running = this.timer;
		if (running != null && this.soon.compareAndSet(false, true)) {
			try {
				running.schedule(() -> {
					this.soon.set(false);
					beat();
				}, SOON_MILLIS, TimeUnit.MILLISECONDS);
			}
			catch (RejectedExecutionException ex) {
				// Stopped in between.
				this.soon.set(false);
			}
		}
	}

	void beat() {
		// Before the store is asked: its answer does not know runs that begin meanwhile.
		Set<Lease> held = Set.copyOf(this.held.keySet());
		try {
			ProcessStore.Beat beat = this.clock.read(() -> this.processes.beat(this.process, held),
					ProcessStore.Beat::time);
			beat.lost().forEach(this::lost);
			if (this.away) {
				logger.info("Leases of {} running jobs are extended again", held.size());
			}
			this.away = false;
		}
		catch (StoreUnavailableException ex) {
			if (!this.away) {
				logger.warn("Leases of {} running jobs cannot be extended for now: {}", held.size(), ex.getMessage());
			}
			this.away = true;
			extendSoon();
		}
		catch (Throwable ex) {
			// Errors too: an exception would cancel all further heartbeats.
			logger.error("Leases of {} running jobs could not be extended", held.size(), ex);
		}
	}

	private void lost(Lease lost, boolean cancelled) {
		Held holder = this.held.remove(lost);
		// The run may have ended while the store was asked.
		if (holder != null) {
			logger.debug("The lease on job {}, run {}, is no longer valid", lost.jobId(), lost.run());
			holder.holder().lost(cancelled);
		}
	}

	/**
	 * The holder of a lease.
	 *
	 * @param holder is notified if the lease is no longer valid
	 */
	private record Held(LeaseHolder holder, Duration length) {
	}

}
