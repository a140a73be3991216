package io.ojs.amqp.deadletter;

import io.ojs.job.internal.JobRules;
import org.jspecify.annotations.Nullable;

/**
 * Changes to jobs when they are replayed. A value that is {@code null} changes nothing.
 *
 * @param queue OJS queue to replay to
 * @param priority OJS priority, −100 to 100
 * @param maxAttempts maximum number of attempts, at least 1
 */
public record BrokerReplayOverrides(@Nullable String queue, @Nullable Integer priority, @Nullable Integer maxAttempts) {

	/** Changes nothing. */
	public static final BrokerReplayOverrides NONE = new BrokerReplayOverrides(null, null, null);

	/**
	 * Checks the values.
	 * @throws io.ojs.job.InvalidJobException if the queue or the priority breaks a rule
	 * @throws IllegalArgumentException if the maximum number of attempts is less than 1
	 */
	public BrokerReplayOverrides {
		if (queue != null) {
			JobRules.queue(queue);
		}
		if (priority != null) {
			JobRules.priority(priority);
		}
		if (maxAttempts != null && maxAttempts < 1) {
			throw new IllegalArgumentException("maxAttempts must be 1 or more, but was " + maxAttempts + ".");
		}
	}

	/**
	 * Replays to another queue.
	 * @param value the OJS queue
	 * @return overrides with it
	 */
	public BrokerReplayOverrides queue(String value) {
		return new BrokerReplayOverrides(value, this.priority, this.maxAttempts);
	}

	/**
	 * Replays with another priority.
	 * @param value −100 to 100, higher first
	 * @return overrides with it
	 */
	public BrokerReplayOverrides priority(int value) {
		return new BrokerReplayOverrides(this.queue, value, this.maxAttempts);
	}

	/**
	 * Replays with another maximum number of attempts.
	 * @param value the maximum, at least 1
	 * @return overrides with it
	 */
	public BrokerReplayOverrides maxAttempts(int value) {
		return new BrokerReplayOverrides(this.queue, this.priority, value);
	}

}
