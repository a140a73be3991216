package io.ojs.internal.rate;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import io.ojs.store.StoreUnavailableException;

/**
 * Lets jobs through that wait for a limit, as soon as their time has come. Several
 * instances may do so at once.
 */
public final class RateLimiter {

	/** The interval between checks of jobs that do not wait for a time. */
	static final Duration ALL = Duration.ofSeconds(30);

	/** The shortest pause between two calls. */
	private static final Duration SHORT = Duration.ofMillis(20);

	/** The longest pause between two calls, also while no job waits for a time. */
	private static final Duration LONG = Duration.ofMillis(500);

	private final RateLimitStore store;

	private final Clock clock;

	private final boolean worksJobs;

	private Instant allAt = Instant.MIN;

	/**
	 * Creates a limiter.
	 * @param worksJobs whether this process works jobs; otherwise it lets no jobs
	 * through, because it may not know the limits of all queues and tenants
	 */
	public RateLimiter(RateLimitStore store, Clock clock, boolean worksJobs) {
		this.store = store;
		this.clock = clock;
		this.worksJobs = worksJobs;
	}

	/**
	 * Lets through the jobs that may start now.
	 * @return the pause until the next call
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
