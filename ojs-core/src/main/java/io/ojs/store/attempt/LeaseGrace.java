package io.ojs.store.attempt;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;

import io.ojs.log.SafeLogger;
import io.ojs.store.StoreException;
import io.ojs.store.StoreUnavailableException;
import org.slf4j.Logger;

/**
 * Knows whether a lease that is over says anything about its worker. While the store was
 * away for long nobody could extend leases, so for as long as a lease lasts after that
 * nobody loses a job for it.
 * <p>
 * Long is more than half a lease: workers extend leases so often that more than that is
 * left at any time. A deadlock, or a connection that broke, is not long.
 */
public final class LeaseGrace {

	private static final Logger logger = SafeLogger.of(LeaseGrace.class);

	private final Duration lease;

	private final Clock clock;

	private final ReentrantLock lock = new ReentrantLock();

	/** When the store was there last; at first, nobody has missed it before. */
	private Instant there;

	/** Whether somebody has asked since, and had no answer. */
	private boolean away;

	/** Before that, leases that are over say nothing. */
	private Instant until = Instant.MIN;

	/**
	 * Creates it.
	 * @param lease how long a lease lasts that is not extended
	 * @param clock tells the time
	 */
	public LeaseGrace(Duration lease, Clock clock) {
		this.lease = lease;
		this.clock = clock;
		this.there = clock.instant();
	}

	/**
	 * The clock is about to jump: for as long as a lease lasts, no process loses a job
	 * because its lease is over.
	 * @param time the time that the clock jumps to
	 */
	public void jump(Instant time) {
		this.lock.lock();
		try {
			this.until = time.plus(this.lease);
			this.there = time;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Asks the store something that may take jobs from their workers.
	 * @param question what to ask
	 * @return the answer
	 * @throws StoreException what the store throws
	 */
	<T> T ask(Question<T> question) {
		Instant now = this.clock.instant();
		T answer;
		try {
			answer = question.ask(now, isOver(now));
		}
		catch (StoreUnavailableException ex) {
			this.lock.lock();
			this.away = true;
			this.lock.unlock();
			throw ex;
		}
		answered(now);
		return answer;
	}

	/** Whether workers had the time to extend their leases. */
	private boolean isOver(Instant now) {
		this.lock.lock();
		try {
			return !now.isBefore(this.until) && !(this.away && isLong(this.there, now));
		}
		finally {
			this.lock.unlock();
		}
	}

	private void answered(Instant asked) {
		this.lock.lock();
		try {
			Instant now = this.clock.instant();
			// Nobody fails who waits for a database that is frozen for as long as it
			// takes.
			if ((this.away && isLong(this.there, now)) || isLong(asked, now)) {
				this.until = now.plus(this.lease);
				logger.info("The job store is back: for {} nobody loses a job because its lease is over", this.lease);
			}
			this.away = false;
			this.there = now;
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean isLong(Instant from, Instant to) {
		return Duration.between(from, to).compareTo(this.lease.dividedBy(2)) > 0;
	}

	/**
	 * Something to ask the store.
	 *
	 * @param <T> the answer
	 */
	interface Question<T> {

		/**
		 * Asks.
		 * @param now the present
		 * @param expired whether a lease that is over is its worker's no longer
		 * @return the answer
		 */
		T ask(Instant now, boolean expired);

	}

}
