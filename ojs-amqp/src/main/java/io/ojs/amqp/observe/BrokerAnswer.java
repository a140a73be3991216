package io.ojs.amqp.observe;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What the broker says when it is asked.
 *
 * @param queues by their AMQP names; one that is not there is not in it
 * @param problem why not all was answered, or {@code null}
 */
public record BrokerAnswer(Map<String, QueueCounts> queues, @Nullable String problem) {

	public BrokerAnswer {
		queues = Map.copyOf(queues);
	}

	/**
	 * Whether the broker answered all that it was asked.
	 * @return whether it did
	 */
	public boolean isComplete() {
		return this.problem == null;
	}

}
