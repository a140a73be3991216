package io.ojs.tenant.limit;

import java.time.Duration;
import java.time.Instant;

import io.ojs.job.Rate;

/**
 * A time in which jobs of a tenant were counted.
 *
 * @param length its length
 * @param since when it began
 * @param jobs how many were enqueued in it
 */
public record EnqueuePeriod(Duration length, Instant since, long jobs) {

	/**
	 * How many jobs count now.
	 * @param rate the limit
	 * @param now the time
	 * @return those of this period, if it is not over and is one of the rate
	 */
	public long jobs(Rate rate, Instant now) {
		return (this.length.equals(rate.period()) && now.isBefore(this.since.plus(this.length))) ? this.jobs : 0;
	}

}
