package io.ojs.jdbc.internal.limit;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

import io.ojs.internal.rate.RateMeter;
import io.ojs.jdbc.internal.StartLimits;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.job.Rate;
import io.ojs.job.RateLimit;
import org.jspecify.annotations.Nullable;

/**
 * Bounds how many jobs are let through and have not started. An instance serves one
 * transaction, in which their keys are locked. A rate counts a job when it is let
 * through: if workers are slow, such jobs must not pile up, or they would all start at
 * once later.
 */
final class GrantedPlaces {

	/** How long a place is kept for a job that does not start, if others wait. */
	static final Duration KEPT = Duration.ofMinutes(1);

	/** When to look again whether the jobs that were let through have started. */
	private static final Duration AGAIN = Duration.ofMillis(200);

	private final StoreDatabase database;

	private final Instant now;

	private final Map<String, Long> counts = new HashMap<>();

	GrantedPlaces(StoreDatabase database, Instant now) {
		this.database = database;
		this.now = now;
	}

	/**
	 * Asks whether one more job may be let through.
	 * @return {@code null} if it may
	 */
	RateMeter.@Nullable Refusal ask(KeyedLimit limit) {
		long most = most(limit.limit());
		if (most == Long.MAX_VALUE || this.counts.computeIfAbsent(limit.key(), this::count) < most) {
			return null;
		}
		return new RateMeter.Refusal(limit.key(), this.now.plus(AGAIN));
	}

	/**
	 * At most the starts of one period of the rate, and those of one second of the
	 * throttle.
	 */
	private static long most(RateLimit limit) {
		Rate rate = limit.rate();
		Rate throttle = limit.throttle();
		long ofRate = (rate != null) ? rate.limit() : Long.MAX_VALUE;
		long ofThrottle = (throttle != null) ? Math.max(1, Duration.ofSeconds(1).dividedBy(throttle.interval()))
				: Long.MAX_VALUE;
		return Math.min(ofRate, ofThrottle);
	}

	private long count(String key) {
		boolean ofQueue = StartLimits.isOfQueue(key);
		String sql = ofQueue
				? "select count(*) from ojs_job where queue = ? and has_places and blocked_until is not null"
				: "select count(*) from ojs_job where rate_key = ? and ended_at is null and has_places "
						+ "and blocked_until is not null";
		Long count = this.database.jdbc()
			.queryForObject(sql, Long.class, ofQueue ? key.substring(StartLimits.QUEUE.length()) : key);
		return (count != null) ? count : 0;
	}

	/** Counts one more job that is let through. */
	void add(String key) {
		this.counts.computeIfPresent(key, (same, count) -> count + 1);
	}

}
