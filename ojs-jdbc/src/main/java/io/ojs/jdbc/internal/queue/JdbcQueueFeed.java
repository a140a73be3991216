package io.ojs.jdbc.internal.queue;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.internal.engine.FeedEvent;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.queue.QueueEvent;
import io.ojs.queue.internal.lifecycle.QueueFeed;
import org.jspecify.annotations.Nullable;

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
					.map((event) -> new FeedEvent(event.name(), now, event.queue(), event.queue(), null, data(event)))
					.toList());
			return events;
		});
	}

	/**
	 * Says who has changed the queue, unless a process has found out that it is empty.
	 */
	private Map<String, @Nullable Object> data(QueueEvent event) {
		Map<String, @Nullable Object> data = new LinkedHashMap<>(event.data());
		String by = this.database.options().actor().get();
		if (by != null && !(event instanceof QueueEvent.Drained || event instanceof QueueEvent.Deleted)) {
			data.put("by", by);
		}
		return data;
	}

}
