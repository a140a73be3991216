package io.ojs.retry.internal;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The pauses between tries of this library's own work, such as a call to the database.
 * Each pause is twice the previous one, up to the longest. Jobs have a
 * {@link io.ojs.retry.RetryPolicy} instead.
 *
 * @param first the pause after the first failure
 * @param longest the longest pause
 */
public record Backoff(Duration first, Duration longest) {

	/**
	 * Returns the pause before the next try, with jitter.
	 * @param failures how many tries in a row have failed, 1 or more
	 */
	public Duration after(int failures) {
		return jittered(withoutJitter(failures));
	}

	/**
	 * Returns the pause before the next try, without jitter.
	 * @param failures how many tries in a row have failed, 1 or more
	 */
	public Duration withoutJitter(int failures) {
		double nanos = this.first.toNanos() * Math.pow(2, Math.max(0, failures - 1));
		return Duration.ofNanos((long) Math.min(nanos, this.longest.toNanos()));
	}

	/**
	 * Shortens a pause by up to a quarter at random, so that the instances of an
	 * application do not ask the database at the same moment.
	 * @return a random time between three quarters of it and all of it
	 */
	public static Duration jittered(Duration pause) {
		return Duration.ofNanos((long) (pause.toNanos() * ThreadLocalRandom.current().nextDouble(0.75, 1)));
	}

}
