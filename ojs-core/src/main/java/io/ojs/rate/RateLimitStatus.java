package io.ojs.rate;

import java.time.Instant;
import java.util.List;

import io.ojs.job.Rate;
import io.ojs.job.RateLimit;

import org.jspecify.annotations.Nullable;

/**
 * What is known of a key (OJS Rate Limiting §10.1).
 *
 * @param key the key
 * @param limit what the job that came last says of it
 * @param active how many are running, or have been let through and are about to
 * @param waiting how many wait for it
 * @param windows starts that were counted in the present windows
 * @param nextStart when the next may start, of those that are spread evenly
 */
public record RateLimitStatus(String key, RateLimit limit, long active, long waiting, List<Counted> windows,
		@Nullable Instant nextStart) {

	public RateLimitStatus {
		windows = List.copyOf(windows);
	}

	/**
	 * Starts in a window.
	 *
	 * @param rate how many may start
	 * @param starts how many have
	 * @param until when the window is over
	 */
	public record Counted(Rate rate, long starts, Instant until) {
	}

}
