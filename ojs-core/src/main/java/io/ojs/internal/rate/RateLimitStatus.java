package io.ojs.internal.rate;

import java.time.Instant;
import java.util.List;

import io.ojs.job.Rate;
import io.ojs.job.RateLimit;
import org.jspecify.annotations.Nullable;

/**
 * The status of a rate limit (OJS Rate Limiting §10.1).
 *
 * @param key the key
 * @param limit the limit, as the latest job with the key defines it
 * @param active how many jobs are running, or are let through and have not started
 * @param waiting how many jobs wait for the limit, counted up to {@link #MAX_WAITING}
 * @param windows the starts in the present windows
 * @param nextStart the earliest time of the next start under a throttle; {@code null}
 * without one
 */
public record RateLimitStatus(String key, RateLimit limit, long active, long waiting, List<Counted> windows,
		@Nullable Instant nextStart) {

	/** The largest number of waiting jobs that is counted for a limit. */
	public static final int MAX_WAITING = 1_000;

	public RateLimitStatus {
		windows = List.copyOf(windows);
	}

	/**
	 * The starts in a window.
	 *
	 * @param rate how many jobs may start
	 */
	public record Counted(Rate rate, long starts, Instant until) {
	}

}
