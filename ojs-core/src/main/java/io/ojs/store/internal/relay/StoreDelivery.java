package io.ojs.store.internal.relay;

import java.time.Duration;
import java.time.Instant;

/**
 * Knows the queues with {@code delivery=store}: workers fetch their jobs, and the relay
 * does not publish them.
 */
@FunctionalInterface
public interface StoreDelivery {

	/**
	 * How long the relay leaves a job alone that workers fetch. After that it looks
	 * again, so no job is forgotten if those workers disappear.
	 */
	Duration HOLD = Duration.ofMinutes(5);

	/** The broker delivers the jobs of all queues. */
	StoreDelivery NONE = (queue) -> false;

	/**
	 * Whether workers fetch the jobs of a queue now.
	 * @return whether they do; otherwise the broker delivers the jobs
	 */
	boolean delivers(String queue);

	/** Returns when the relay looks again at an available job that workers fetch. */
	default Instant relayAt(String queue, Instant now) {
		return now.plus(HOLD);
	}

	/** Wakes workers of a queue that has an available job now. Does not wait. */
	default void available(String queue) {
		// Without wake-ups, workers find the job when they fetch.
	}

}
