package io.ojs.queue.internal.lifecycle;

import java.time.Instant;
import java.util.List;

import io.ojs.event.internal.Listeners;
import io.ojs.queue.QueueEvent;
import io.ojs.queue.QueueEventListener;
import io.ojs.queue.QueueFullException;

/**
 * Records events in a feed, and notifies all listeners. A listener that throws affects
 * neither the queue nor the other listeners.
 */
public final class QueueEvents {

	private final Listeners<QueueEventListener> listeners;

	private final QueueFeed feed;

	public QueueEvents(List<QueueEventListener> listeners, QueueFeed feed) {
		this.listeners = new Listeners<>(listeners);
		this.feed = feed;
	}

	/**
	 * Records events in the current transaction. Call {@link #publish} after the commit
	 * to notify listeners.
	 */
	void keep(Instant now, List<? extends QueueEvent> events) {
		this.feed.append(List.copyOf(events), now);
	}

	/** Notifies all listeners. */
	public void publish(QueueEvent event) {
		this.listeners.notifyOf(() -> "%s of queue '%s'".formatted(event.name(), event.queue()),
				(listener) -> listener.onEvent(event));
	}

	/** Notifies all listeners that a full queue refused a job. */
	void refused(QueueFullException refused) {
		this.listeners.notifyOf(() -> "a refused job of queue '%s'".formatted(refused.queue()),
				(listener) -> listener.onRefusal(refused));
	}

}
