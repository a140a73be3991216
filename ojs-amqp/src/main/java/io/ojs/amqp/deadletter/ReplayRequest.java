package io.ojs.amqp.deadletter;

import io.ojs.job.internal.JobRules;
import org.jspecify.annotations.Nullable;

/**
 * Which dead letters to replay, and how.
 *
 * @param queue the OJS queue of the dead letters
 * @param filter selects dead letters
 * @param overrides changes to the replayed jobs
 * @param dryRun whether to count only
 * @param max how many to replay at most, at least 1; {@code null} for all
 * @param rate how many to replay per second at most, more than 0; {@code null} for no
 * limit
 * @param listener receives the progress
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
	 * Requests all dead letters of a queue, unchanged, without a limit or a rate.
	 * @param queue the OJS queue
	 * @return a request, to be refined
	 */
	public static ReplayRequest of(String queue) {
		return new ReplayRequest(queue, BrokerDeadLetterFilter.ANY, BrokerReplayOverrides.NONE, false, null, null,
				BrokerReplayListener.NONE);
	}

	/**
	 * Replays only selected dead letters.
	 * @param value selects them
	 * @return a request with it
	 */
	public ReplayRequest filter(BrokerDeadLetterFilter value) {
		return new ReplayRequest(this.queue, value, this.overrides, this.dryRun, this.max, this.rate, this.listener);
	}

	/**
	 * Changes the replayed jobs.
	 * @param value the changes
	 * @return a request with them
	 */
	public ReplayRequest overrides(BrokerReplayOverrides value) {
		return new ReplayRequest(this.queue, this.filter, value, this.dryRun, this.max, this.rate, this.listener);
	}

	/**
	 * Only counts dead letters.
	 * @return a request for a dry run
	 */
	public ReplayRequest asDryRun() {
		return new ReplayRequest(this.queue, this.filter, this.overrides, true, this.max, this.rate, this.listener);
	}

	/**
	 * Replays no more than a number.
	 * @param value at least 1
	 * @return a request with it
	 */
	public ReplayRequest max(long value) {
		return new ReplayRequest(this.queue, this.filter, this.overrides, this.dryRun, value, this.rate, this.listener);
	}

	/**
	 * Replays no faster than a rate.
	 * @param value jobs per second, more than 0
	 * @return a request with it
	 */
	public ReplayRequest rate(double value) {
		return new ReplayRequest(this.queue, this.filter, this.overrides, this.dryRun, this.max, value, this.listener);
	}

	/**
	 * Reports progress to a listener.
	 * @param value the listener
	 * @return a request with it
	 */
	public ReplayRequest listener(BrokerReplayListener value) {
		return new ReplayRequest(this.queue, this.filter, this.overrides, this.dryRun, this.max, this.rate, value);
	}

}
