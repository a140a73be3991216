package io.ojs.jdbc.internal;

import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.ojs.event.StoredEvent;
import io.ojs.internal.engine.AttemptEngine;
import io.ojs.internal.engine.FeedEvent;
import io.ojs.internal.engine.JsonText;
import io.ojs.internal.engine.MemoryJobStore;
import org.jspecify.annotations.Nullable;

/**
 * The stores in memory.
 */
final class MemoryStores extends EngineStores {

	private final MemoryJobStore store = new MemoryJobStore(this.codec, Clock.fixed(NOW, ZoneOffset.UTC), this::tell);

	private final JsonText json = new JsonText();

	MemoryStores() {
		this.jobs = this.store;
		this.attempts = new AttemptEngine(this.store);
	}

	@Override
	List<StoredEvent> events() {
		List<StoredEvent> events = new ArrayList<>();
		for (FeedEvent event : this.store.events()) {
			int position = events.size() + 1;
			Map<String, @Nullable Object> data = this.json.readObject(this.json.write(event.data()));
			events.add(new StoredEvent(position, "evt_" + position, event.type(), "memory", event.time(),
					event.subject(), event.queue(), event.tenant(), data));
		}
		return events;
	}

	@Override
	void clear() {
		this.told.clear();
		this.listener = (event) -> {
		};
		this.store.clear();
	}

}
