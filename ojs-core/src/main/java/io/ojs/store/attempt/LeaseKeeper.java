package io.ojs.store.attempt;

import java.time.Duration;
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
import java.util.function.Function;
import java.util.function.Supplier;

import io.ojs.log.SafeLogger;
import io.ojs.store.StoreClock;
import io.ojs.store.StoreUnavailableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Tells the store again and again that this process lives, and with that extends the
 * leases of all that it runs: a handler may take hours without doing anything for it.
 * Tells those who run a job that is no longer theirs.
 */
public final class LeaseKeeper {

	/** The shortest lease. */
	public static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);

	/** Default of how long a lease lasts that is not extended. */
	public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

	private static final Logger logger = SafeLogger.of(LeaseKeeper.class);

	/**
	 * How often the process is seen while the shortest lease lasts. Of thirty seconds 25
	 * are left at any time, so that a database may be away for twenty.
	 */
	private static final int BEATS = 6;

	/** Also how long a heartbeat waits for others to go with it. */
	private static final long SOON_MILLIS = 500;

	/** How long a start waits for the connection that beats need. */
	private static final Duration FIRST_BEAT = Duration.ofSeconds(2);

	private final ProcessStore processes;

	private final String process;

	private final Function<String, Duration> leases;

	private final StoreClock clock;

	private final Supplier<ScheduledThreadPoolExecutor> timers;

	private final Map<Lease, Held> held = new ConcurrentHashMap<>();

	private final AtomicBoolean soon = new AtomicBoolean();

	private final ReentrantLock lifecycle = new ReentrantLock();

	/** None while it is stopped. */
	private volatile @Nullable ScheduledThreadPoolExecutor timer;

	/** The shortest lease that the timer beats for. */
	private volatile Duration shortest = DEFAULT_LEASE;

	private @Nullable ScheduledFuture<?> beats;

	/** By the timer alone. */
	private boolean away;

	/**
	 * Creates a keeper that does nothing yet.
	 * @param processes is told that this process lives
	 * @param process what this process calls itself, like no other; at most 128
	 * characters
	 * @param leases how long a lease on a job of a queue lasts without the process being
	 * seen; at least a second
	 * @param clock is told the time of the database
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
		Thread thread = new Thread(task, "ojs-leases");
		thread.setDaemon(true);
		return thread;
	}

	/**
	 * What this process calls itself.
	 * @return whose the leases are
	 */
	public String process() {
		return this.process;
	}

	/**
	 * Starts to beat. Waits a moment for the first beat, which takes the connection that
	 * all others need, before jobs can take all there are. Does nothing if it has
	 * started.
	 */
	public void start() {
		this.lifecycle.lock();
		try {
			if (this.timer == null) {
				ScheduledThreadPoolExecutor created = this.timers.get();
				created.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
				created.setRemoveOnCancelPolicy(true);
				// What was to be done soon went with the timer before this one.
				this.soon.set(false);
				this.timer = created;
				await(created.submit(this::beat));
				this.shortest = this.held.values().stream().map(Held::length).reduce(DEFAULT_LEASE, LeaseKeeper::min);
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

	private static Duration min(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

	/** Beats as often as the shortest lease needs it. */
	private void pace(ScheduledThreadPoolExecutor running) {
		if (this.beats != null) {
			this.beats.cancel(false);
		}
		long pause = this.shortest.toMillis() / BEATS;
		this.beats = running.scheduleWithFixedDelay(this::beat, pause, pause, TimeUnit.MILLISECONDS);
	}

	/** Stops to beat: leases that are held end by themselves. */
	public void stop() {
		this.lifecycle.lock();
		try {
			ScheduledThreadPoolExecutor stopping = this.timer;
			this.timer = null;
			this.beats = null;
			if (stopping != null) {
				// No interrupt: it might hit the database connection.
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
	 * @param length how long it lasts without this process being seen
	 * @param holder is told if it is no longer valid
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

	/**
	 * Extends a lease no longer.
	 * @param released the lease
	 */
	public void release(Lease released) {
		this.held.remove(released);
	}

	/**
	 * Beats in a moment, once for all who ask until then: a handler said that it is
	 * alive. Waits for nothing.
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

	/** On the thread of the timer. */
	void beat() {
		// Before the store is asked: what begins meanwhile is not in its answer.
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
			// Whatever it is, Errors too, this beat must not be the last.
			logger.error("Leases of {} running jobs could not be extended", held.size(), ex);
		}
	}

	private void lost(Lease lost, boolean cancelled) {
		Held holder = this.held.remove(lost);
		// None, if the run has ended while the store was asked.
		if (holder != null) {
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
