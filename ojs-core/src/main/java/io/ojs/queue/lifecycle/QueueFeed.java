package io.ojs.queue.lifecycle;

import java.time.Instant;
import java.util.List;

/**
 * Keeps what happens to queues, in the order in which it happened, for readers in every
 * process.
 */
@FunctionalInterface
public interface QueueFeed {

	/** Keeps nothing. */
	QueueFeed NONE = (events, now) -> {
	};

	/**
	 * Appends events. Part of the caller's transaction: what is rolled back has not
	 * happened.
	 * @param events what happened
	 * @param now when
	 */
	void append(List<QueueEvent> events, Instant now);

}
