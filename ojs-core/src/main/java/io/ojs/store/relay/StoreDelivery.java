package io.ojs.store.relay;

import java.time.Duration;
import java.time.Instant;

/**
 * Knows the queues whose jobs the store delivers: workers fetch them, and the relay
 * publishes none of them.
 */
@FunctionalInterface
public interface StoreDelivery {

	/**
	 * How long the relay leaves jobs alone that workers fetch for now, so that it forgets
	 * none whatever becomes of those workers.
	 */
	Duration HOLD = Duration.ofMinutes(5);

	/** The broker delivers the jobs of all queues. */
	StoreDelivery NONE = (queue) -> false;

	/**
	 * Whether the store delivers the jobs of a queue now.
	 * @param queue the OJS queue
	 * @return whether it does; otherwise the broker does
	 */
	boolean delivers(String queue);

	/**
	 * When the relay looks again at an available job of such a queue.
	 * @param queue the OJS queue
	 * @param now the present
	 * @return the time
	 */
	default Instant relayAt(String queue, Instant now) {
		return now.plus(HOLD);
	}

	/**
	 * Wakes workers of such a queue: it has a job that is available now. Waits for
	 * nothing.
	 * @param queue the OJS queue
	 */
	default void available(String queue) {
		// Its workers ask by themselves.
	}

}
