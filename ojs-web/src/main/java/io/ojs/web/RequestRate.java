package io.ojs.web;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How many requests are answered in a second by this process. What was not used in one
 * second is not saved for the next.
 */
final class RequestRate {

	private final int perSecond;

	private final Clock clock;

	private final ReentrantLock lock = new ReentrantLock();

	private Instant window = Instant.EPOCH;

	private int used;

	RequestRate(int perSecond, Clock clock) {
		this.perSecond = perSecond;
		this.clock = clock;
	}

	/**
	 * Counts a request.
	 * @throws HttpFailure with 429 if there were too many
	 */
	void count() {
		if (this.perSecond == 0) {
			return;
		}
		Instant now = this.clock.instant();
		this.lock.lock();
		try {
			if (!Duration.between(this.window, now).abs().minusSeconds(1).isNegative()) {
				this.window = now;
				this.used = 0;
			}
			if (this.used < this.perSecond) {
				this.used++;
				return;
			}
		}
		finally {
			this.lock.unlock();
		}
		throw new HttpFailure(
				HttpError
					.of(429, "rate_limited", "rate_limited",
							"This server answers %d requests a second. Try again in a second."
								.formatted(this.perSecond))
					.retryAfter(1)
					.detail("limit", this.perSecond)
					.detail("retry_after_seconds", 1)
					.header("X-RateLimit-Limit", Integer.toString(this.perSecond))
					.header("X-RateLimit-Remaining", "0")
					.header("X-RateLimit-Reset", Long.toString(now.getEpochSecond() + 1)));
	}

}
