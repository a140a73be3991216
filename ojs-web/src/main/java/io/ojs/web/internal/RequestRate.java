package io.ojs.web.internal;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

import io.ojs.web.HttpError;
import io.ojs.web.HttpFailure;

/**
 * Bounds how many requests this process answers in a second. Requests that one second
 * leaves unused are not saved for the next.
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
	 * @return headers that tell how many more requests are allowed; empty if there is no
	 * bound
	 * @throws HttpFailure with 429 if there were too many
	 */
	Map<String, String> count() {
		if (this.perSecond == 0) {
			return Map.of();
		}
		Instant now = this.clock.instant();
		int left;
		this.lock.lock();
		try {
			if (!Duration.between(this.window, now).abs().minusSeconds(1).isNegative()) {
				this.window = now;
				this.used = 0;
			}
			left = this.perSecond - this.used;
			this.used = Math.min(this.used + 1, this.perSecond);
		}
		finally {
			this.lock.unlock();
		}
		Map<String, String> headers = headers(Math.max(0, left - 1), now);
		if (left > 0) {
			return headers;
		}
		HttpError error = HttpError
			.of(429, "rate_limited", "rate_limited",
					"This server answers %d requests a second. Try again in a second.".formatted(this.perSecond))
			.retryAfter(1)
			.detail("limit", this.perSecond)
			.detail("retry_after_seconds", 1);
		for (Map.Entry<String, String> header : headers.entrySet()) {
			error = error.header(header.getKey(), header.getValue());
		}
		throw new HttpFailure(error);
	}

	/** The headers of OJS HTTP Binding §18.1. */
	private Map<String, String> headers(int left, Instant now) {
		return Map.of("X-RateLimit-Limit", Integer.toString(this.perSecond), "X-RateLimit-Remaining",
				Integer.toString(left), "X-RateLimit-Reset", Long.toString(now.getEpochSecond() + 1));
	}

}
