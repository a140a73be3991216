package io.ojs.store;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import io.ojs.log.SafeLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Does something again and again on a thread of its own: after the pause that it asks
 * for, or at once when it is woken. A failure ends nothing: it is told of once, and tried
 * again after pauses that grow.
 */
public final class Poller implements AutoCloseable {

	private static final Logger logger = SafeLogger.of(Poller.class);

	private final String threadName;

	private final Supplier<Duration> round;

	private final Outage outage;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private boolean woken;

	private volatile @Nullable Thread thread;

	private volatile boolean stopped;

	/**
	 * Creates a poller.
	 * @param threadName the name of its thread
	 * @param failure the beginning of the log's sentence about a failure, such as
	 * {@code Crons cannot be fired}
	 * @param round does it, and says how long to pause unless it is woken
	 */
	public Poller(String threadName, String failure, Supplier<Duration> round) {
		this(threadName, new Outage(failure), round);
	}

	/**
	 * Creates a poller.
	 * @param threadName the name of its thread
	 * @param failure the beginning of the log's sentence about a failure
	 * @param round does it, and says how long to pause unless it is woken
	 * @param longest how long it pauses at most while it fails; at least a second
	 */
	public Poller(String threadName, String failure, Supplier<Duration> round, Duration longest) {
		this(threadName, new Outage(failure, longest), round);
	}

	private Poller(String threadName, Outage outage, Supplier<Duration> round) {
		this.threadName = threadName;
		this.outage = outage;
		this.round = round;
	}

	/**
	 * Starts. May be done again once it was closed and its thread has ended.
	 */
	public void start() {
		this.stopped = false;
		Thread started = new Thread(this::run, this.threadName);
		started.setDaemon(true);
		this.thread = started;
		started.start();
	}

	/**
	 * Has it do a round at once, except while it pauses after a failure. Waits for
	 * nobody.
	 */
	public void wake() {
		this.lock.lock();
		try {
			this.woken = true;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Whether it was closed: a round that takes long looks at this.
	 * @return whether it is to end
	 */
	public boolean isStopped() {
		return this.stopped;
	}

	private void run() {
		while (!this.stopped) {
			Duration pause;
			boolean wakeable = true;
			try {
				pause = this.round.get();
				this.outage.over();
			}
			catch (Throwable ex) {
				// Errors too: nobody else would do it.
				pause = this.outage.pause(ex);
				wakeable = false;
			}
			try {
				sleep(pause, wakeable);
			}
			catch (InterruptedException ex) {
				// By nobody who means it: it is stopped otherwise.
				logger.debug("Interrupted", ex);
			}
		}
	}

	private void sleep(Duration time, boolean wakeable) throws InterruptedException {
		this.lock.lock();
		try {
			long left = time.toNanos();
			while (!(this.woken && wakeable) && !this.stopped && left > 0) {
				left = this.changed.awaitNanos(left);
			}
			this.woken = false;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Shortens a pause by up to a quarter at random, so that the instances of an
	 * application do not ask the database at the same moment.
	 * @param time how long to pause at most
	 * @return three quarters of it to all of it
	 */
	public static Duration jittered(Duration time) {
		return Duration.ofNanos((long) (time.toNanos() * ThreadLocalRandom.current().nextDouble(0.75, 1)));
	}

	/** Ends after the round that is under way. */
	@Override
	public void close() {
		this.stopped = true;
		wake();
		StoreThreads.await(this.thread);
	}

}
