package io.ojs.jdbc.internal.queue;

import java.time.Instant;
import java.util.List;

import io.ojs.internal.engine.FeedEvent;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.queue.QueueEvent;
import io.ojs.queue.internal.lifecycle.QueueFeed;

/**
 * Appends the events of queues to the feed of events of a database.
 */
public final class JdbcQueueFeed implements QueueFeed {

	private final StoreDatabase database;

	public JdbcQueueFeed(StoreDatabase database) {
		this.database = database;
	}

	@Override
	public void append(List<QueueEvent> events, Instant now) {
		this.database.read("tell what happened to queues", () -> {
			this.database.events()
				.append(events.stream()
					.map((event) -> new FeedEvent(event.name(), now, event.queue(), event.queue(), null, event.data()))
					.toList());
			return events;
		});
	}

}
