package io.ojs.queue;

import java.time.Duration;

/**
 * The number of jobs of a queue that may start in a period (OJS Queue Configuration
 * §6.2).
 *
 * @param limit jobs per period, 1 or more
 * @param period the length of the period, longer than zero
 */
public record QueueRateLimit(long limit, Duration period) {

	public QueueRateLimit {
		QueueRules.require(limit >= 1, "rate_limit.limit", limit, "must be 1 or more");
		QueueRules.require(!period.isZero() && !period.isNegative(), "rate_limit.period", period,
				"must be longer than zero");
	}

}
