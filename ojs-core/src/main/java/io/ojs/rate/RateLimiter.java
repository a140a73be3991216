package io.ojs.rate;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import io.ojs.store.StoreUnavailableException;

/**
 * Lets jobs through that wait for a limit, as soon as time alone allows it. Any number of
 * instances may do so at once.
 */
public final class RateLimiter {

	/** How often to look at those that wait for something else than time. */
	static final Duration ALL = Duration.ofSeconds(30);

	/** How long to pause at most while somebody waits for time to pass. */
	private static final Duration SHORT = Duration.ofMillis(20);

	/** How long to pause if nobody does. */
	private static final Duration LONG = Duration.ofMillis(500);

	private final RateLimitStore store;

	private final Clock clock;

	private final boolean worksJobs;

	private Instant allAt = Instant.MIN;

	/**
	 * Creates a limiter.
	 * @param store knows who waits
	 * @param clock tells the time
	 * @param worksJobs whether jobs are worked here; otherwise it leaves all to those who
	 * do, and so are told of all limits
	 */
	public RateLimiter(RateLimitStore store, Clock clock, boolean worksJobs) {
		this.store = store;
		this.clock = clock;
		this.worksJobs = worksJobs;
	}

	/**
	 * Lets through who may start now.
	 * @return how long to pause before the next time
	 * @throws StoreUnavailableException if the database cannot be reached
	 */
	public Duration release() {
		if (!this.worksJobs) {
			return ALL;
		}
		Instant now = this.clock.instant();
		if (!now.isBefore(this.allAt)) {
			this.store.releaseAll(now);
			this.allAt = now.plus(ALL);
		}
		else {
			this.store.release(now);
		}
		return this.store.nextRelease().map((next) -> until(next)).orElse(LONG);
	}

	private Duration until(Instant next) {
		Duration left = Duration.between(this.clock.instant(), next);
		if (left.compareTo(SHORT) < 0) {
			return SHORT;
		}
		return (left.compareTo(LONG) < 0) ? left : LONG;
	}

}
