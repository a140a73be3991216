package io.ojs.store.internal;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import io.ojs.internal.log.SafeLogger;
import io.ojs.internal.thread.Threads;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Runs a round again and again on its own thread: after the pause that the last round
 * returned, or at once after {@link #wake()}. A failure does not end the poller: it is
 * logged once, and the round is tried again after growing pauses.
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
	 * @param failure the beginning of the log line about a failure, such as
	 * {@code Crons cannot be fired}
	 * @param round runs one round and returns the pause before the next one
	 */
	public Poller(String threadName, String failure, Supplier<Duration> round) {
		this(threadName, new Outage(failure), round);
	}

	/**
	 * Creates a poller.
	 * @param round runs one round and returns the pause before the next one
	 * @param longest the longest pause while rounds fail; at least a second
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
	 * Starts the poller. It may be started again after it was closed and its thread has
	 * ended.
	 */
	public void start() {
		this.stopped = false;
		Thread started = Threads.daemon(this::run, this.threadName);
		this.thread = started;
		started.start();
	}

	/**
	 * Starts the next round at once, unless the poller pauses after a failure. Does not
	 * wait.
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
	 * Whether the poller was closed. A round that takes long checks this.
	 * @return whether the round should end
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
				// Errors too: the thread must go on.
				pause = this.outage.pause(ex);
				wakeable = false;
			}
			try {
				sleep(pause, wakeable);
			}
			catch (InterruptedException ex) {
				// No code of this library interrupts the thread; close() sets the flag.
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
	 * Stops the poller after the round in progress, and waits up to ten seconds for it.
	 */
	@Override
	public void close() {
		this.stopped = true;
		wake();
		Threads.awaitEnd(this.thread);
	}

}
