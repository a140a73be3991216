package io.ojs.amqp.internal.observe;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The broker's answer to a probe.
 *
 * @param queues the counts of queues that exist, by their AMQP names
 * @param problem why the answer is not complete; {@code null} if it is
 */
public record BrokerAnswer(Map<String, QueueCounts> queues, @Nullable String problem) {

	public BrokerAnswer {
		queues = Map.copyOf(queues);
	}

	/**
	 * Whether the broker answered all questions.
	 * @return whether the answer is complete
	 */
	public boolean isComplete() {
		return this.problem == null;
	}

}
