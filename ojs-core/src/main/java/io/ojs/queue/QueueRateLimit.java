package io.ojs.queue;

import java.time.Duration;

/**
 * How many jobs of a queue may start in a time (OJS Queue Configuration §6.2).
 *
 * @param limit jobs per period, 1 or more
 * @param period length of the window, more than zero
 */
public record QueueRateLimit(long limit, Duration period) {

	public QueueRateLimit {
		QueueRules.require(limit >= 1, "rate_limit.limit", limit, "must be 1 or more");
		QueueRules.require(!period.isZero() && !period.isNegative(), "rate_limit.period", period,
				"must be longer than zero");
	}

}
