package io.ojs.amqp.internal.connect;

import java.time.Duration;
import java.util.random.RandomGenerator;

import io.ojs.retry.internal.Backoff;

/**
 * The delays before attempts to reconnect (AMQP binding §11.3). Each is twice the
 * previous one, with a random jitter, so that many processes do not reconnect at the same
 * moment.
 *
 * @param initial the delay before the first attempt
 * @param max the longest delay before jitter
 * @param jitter the largest random change of a delay, up or down; 0.25 for a quarter; 0
 * or more and less than 1
 */
public record ReconnectBackoff(Duration initial, Duration max, double jitter) {

	/** 1, 2, 4 … 60 seconds, each ±25 %. */
	public static final ReconnectBackoff DEFAULT = new ReconnectBackoff(Duration.ofSeconds(1), Duration.ofSeconds(60),
			0.25);

	public ReconnectBackoff {
		if (initial.isNegative() || initial.isZero() || max.compareTo(initial) < 0 || !(jitter >= 0 && jitter < 1)) {
			throw new IllegalArgumentException(
					"The first delay must be longer than zero and at most the longest, and the jitter from 0 up to 1, "
							+ "but they were %s, %s and %s.".formatted(initial, max, jitter));
		}
	}

	/**
	 * The delay before an attempt.
	 * @param attempt the number of the attempt, from 1
	 */
	public Duration delay(int attempt, RandomGenerator random) {
		double nanos = new Backoff(this.initial, this.max).withoutJitter(attempt).toNanos();
		return Duration.ofNanos((long) (nanos * (1 - this.jitter + 2 * this.jitter * random.nextDouble())));
	}

}
