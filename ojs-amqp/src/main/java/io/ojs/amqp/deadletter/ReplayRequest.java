package io.ojs.amqp.deadletter;

import io.ojs.job.JobRules;
import org.jspecify.annotations.Nullable;

/**
 * Which dead letters to replay, and how.
 *
 * @param queue the OJS queue whose dead letters are meant
 * @param filter which of them
 * @param overrides what is different about them then
 * @param dryRun whether they are only counted
 * @param max how many at most, at least 1; {@code null} for all
 * @param rate how many a second at most, more than 0; {@code null} for as fast as it goes
 * @param listener watches
 */
public record ReplayRequest(String queue, BrokerDeadLetterFilter filter, BrokerReplayOverrides overrides,
		boolean dryRun, @Nullable Long max, @Nullable Double rate, BrokerReplayListener listener) {

	/**
	 * Checks the values.
	 * @throws io.ojs.job.InvalidJobException if the queue's name breaks a rule
	 * @throws IllegalArgumentException if a number is out of range
	 */
	public ReplayRequest {
		JobRules.queue(queue);
		if (max != null && max < 1) {
			throw new IllegalArgumentException("max must be 1 or more, but was " + max + ".");
		}
		if (rate != null && !(rate > 0 && Double.isFinite(rate))) {
			throw new IllegalArgumentException("rate must be more than 0 jobs a second, but was " + rate + ".");
		}
	}

	/**
	 * All dead letters of a queue, as they are, at once.
	 * @param queue the OJS queue
	 * @return a request to go on from
	 */
	public static ReplayRequest of(String queue) {
		return new ReplayRequest(queue, BrokerDeadLetterFilter.ANY, BrokerReplayOverrides.NONE, false, null, null,
				BrokerReplayListener.NONE);
	}

	/**
	 * Only some.
	 * @param value which
	 * @return a request with it
	 */
	public ReplayRequest filter(BrokerDeadLetterFilter value) {
		return new ReplayRequest(this.queue, value, this.overrides, this.dryRun, this.max, this.rate, this.listener);
	}

	/**
	 * Not as they were.
	 * @param value what is different
	 * @return a request with it
	 */
	public ReplayRequest overrides(BrokerReplayOverrides value) {
		return new ReplayRequest(this.queue, this.filter, value, this.dryRun, this.max, this.rate, this.listener);
	}

	/**
	 * Only counts.
	 * @return a request for a dry run
	 */
	public ReplayRequest asDryRun() {
		return new ReplayRequest(this.queue, this.filter, this.overrides, true, this.max, this.rate, this.listener);
	}

	/**
	 * No more than a number.
	 * @param value at least 1
	 * @return a request with it
	 */
	public ReplayRequest max(long value) {
		return new ReplayRequest(this.queue, this.filter, this.overrides, this.dryRun, value, this.rate, this.listener);
	}

	/**
	 * No faster than a rate.
	 * @param value jobs a second, more than 0
	 * @return a request with it
	 */
	public ReplayRequest rate(double value) {
		return new ReplayRequest(this.queue, this.filter, this.overrides, this.dryRun, this.max, value, this.listener);
	}

	/**
	 * Watched by somebody.
	 * @param value the listener
	 * @return a request with it
	 */
	public ReplayRequest listener(BrokerReplayListener value) {
		return new ReplayRequest(this.queue, this.filter, this.overrides, this.dryRun, this.max, this.rate, value);
	}

}
