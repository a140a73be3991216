package io.ojs.amqp.deadletter;

import io.ojs.job.JobRules;
import org.jspecify.annotations.Nullable;

/**
 * What is different about a job when it is replayed. What is {@code null} stays as it
 * was.
 *
 * @param queue OJS queue to replay it to
 * @param priority OJS priority, −100 to 100
 * @param maxAttempts executions in all, at least 1
 */
public record BrokerReplayOverrides(@Nullable String queue, @Nullable Integer priority, @Nullable Integer maxAttempts) {

	/** Nothing. */
	public static final BrokerReplayOverrides NONE = new BrokerReplayOverrides(null, null, null);

	/**
	 * Checks the values.
	 * @throws io.ojs.job.InvalidJobException if the queue or the priority breaks a rule
	 * @throws IllegalArgumentException if the number of executions does
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
	 * Replays with another number of attempts.
	 * @param value executions in all, at least 1
	 * @return overrides with it
	 */
	public BrokerReplayOverrides maxAttempts(int value) {
		return new BrokerReplayOverrides(this.queue, this.priority, value);
	}

}
