package io.ojs.store.internal.attempt;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;

import io.ojs.internal.log.SafeLogger;
import io.ojs.store.StoreException;
import io.ojs.store.StoreUnavailableException;
import org.slf4j.Logger;

/**
 * Knows whether a lease that is over means that its worker is gone. While the store is
 * away for long, no process can extend leases. So after that, for as long as a lease
 * lasts, no process loses a job because its lease is over.
 *
 * <p>
 * Long is more than half a lease: processes extend leases so often that more than that is
 * left at any time. A deadlock or a broken connection is not long.
 */
public final class LeaseGrace {

	private static final Logger logger = SafeLogger.of(LeaseGrace.class);

	private final Duration lease;

	private final Clock clock;

	private final ReentrantLock lock = new ReentrantLock();

	/** When the store last answered; at first, the time of creation. */
	private Instant there;

	/** Whether a call has failed since. */
	private boolean away;

	/** Until this time, a lease that is over does not count. */
	private Instant until = Instant.MIN;

	public LeaseGrace(Duration lease, Clock clock) {
		this.lease = lease;
		this.clock = clock;
		this.there = clock.instant();
	}

	/**
	 * Called when the clock is about to jump. For as long as a lease lasts, no process
	 * loses a job because its lease is over.
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
	 * Asks the store a question whose answer may take jobs from their workers.
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
			// A caller that waits for a frozen database gets no error, however long it
			// waits.
			if ((this.away && isLong(this.there, now)) || isLong(asked, now)) {
				this.until = now.plus(this.lease);
				logger.info("The job store is back: for {} no job is lost because its lease is over", this.lease);
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
	 * A question to the store.
	 *
	 * @param <T> the answer
	 */
	interface Question<T> {

		/**
		 * Asks the store.
		 * @param expired whether a worker loses a job whose lease is over
		 */
		T ask(Instant now, boolean expired);

	}

}
