package io.ojs.tenant.internal.limit;

import java.time.Duration;
import java.time.Instant;

import io.ojs.job.Rate;

/**
 * A period in which the enqueued jobs of a tenant are counted.
 *
 * @param length the length of the period
 * @param since the start of the period
 * @param jobs how many jobs were enqueued in it
 */
public record EnqueuePeriod(Duration length, Instant since, long jobs) {

	/**
	 * How many jobs count against a rate.
	 * @return the jobs of this period; 0 if it is over, or not a period of the rate
	 */
	public long jobs(Rate rate, Instant now) {
		return (this.length.equals(rate.period()) && now.isBefore(this.since.plus(this.length))) ? this.jobs : 0;
	}

}
