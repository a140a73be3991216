package io.ojs.amqp.internal.connect;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/**
 * Decides when the next attempt to connect is due: after the backoff, or sooner if a
 * caller needs the connection. A caller cannot shorten the pause after an attempt to less
 * than the least pause.
 */
final class Pacing {

	private final ReconnectBackoff backoff;

	private final long leastPause;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private boolean hurry;

	private volatile boolean over;

	private volatile long lastAttempt;

	Pacing(ReconnectBackoff backoff, Duration leastPause) {
		this.backoff = backoff;
		this.leastPause = leastPause.toNanos();
		this.lastAttempt = System.nanoTime() - this.leastPause;
	}

	/** A caller needs the connection now. */
	void hurry() {
		change(() -> this.hurry = true);
	}

	/** No caller has asked since the connection was lost. */
	void calm() {
		change(() -> this.hurry = false);
	}

	void attempted() {
		this.lastAttempt = System.nanoTime();
	}

	/** Whether the last attempt ended less than the least pause before a time. */
	boolean wasJustBefore(long nanoTime) {
		return this.lastAttempt - (nanoTime - this.leastPause) > 0;
	}

	void end() {
		change(() -> this.over = true);
	}

	boolean isOver() {
		return this.over;
	}

	private void change(Runnable change) {
		this.lock.lock();
		try {
			change.run();
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	void pause(int attempt) {
		long delay = this.backoff.delay(attempt, RandomGenerator.getDefault()).toNanos();
		long began = System.nanoTime();
		this.lock.lock();
		try {
			for (long left = delay; left > 0 && !this.over; left = left(began, delay)) {
				this.changed.awaitNanos(left);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.hurry = false;
			this.lock.unlock();
		}
	}

	private long left(long began, long delay) {
		long now = System.nanoTime();
		long regular = delay - (now - began);
		return this.hurry ? Math.min(regular, this.leastPause - (now - this.lastAttempt)) : regular;
	}

}
