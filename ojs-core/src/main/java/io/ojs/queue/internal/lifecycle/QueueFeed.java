package io.ojs.queue.internal.lifecycle;

import java.time.Instant;
import java.util.List;

import io.ojs.queue.QueueEvent;

/**
 * Records events of queues in their order, for readers in every process.
 */
@FunctionalInterface
public interface QueueFeed {

	/** Records nothing. */
	QueueFeed NONE = (events, now) -> {
	};

	/** Appends events in the caller's transaction; a rollback removes them. */
	void append(List<QueueEvent> events, Instant now);

}
