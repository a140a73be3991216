package io.ojs.queue.internal.lifecycle;

import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

import io.ojs.internal.log.SafeLogger;
import io.ojs.queue.QueueEvent;
import io.ojs.queue.QueueEventListener;
import io.ojs.queue.QueueFullException;
import org.slf4j.Logger;

/**
 * Records events in a feed, and notifies all listeners. A listener that throws affects
 * neither the queue nor the other listeners.
 */
public final class QueueEvents {

	private static final Logger logger = SafeLogger.of(QueueEvents.class);

	private final List<QueueEventListener> listeners;

	private final QueueFeed feed;

	public QueueEvents(List<QueueEventListener> listeners, QueueFeed feed) {
		this.listeners = List.copyOf(listeners);
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
		tell(event.name(), event.queue(), (listener) -> listener.onEvent(event));
	}

	/** Notifies all listeners that a full queue refused a job. */
	void refused(QueueFullException refused) {
		tell("a refused job", refused.queue(), (listener) -> listener.onRefusal(refused));
	}

	private void tell(String what, String queue, Consumer<QueueEventListener> call) {
		for (QueueEventListener listener : this.listeners) {
			try {
				call.accept(listener);
			}
			catch (Throwable ex) {
				logger.warn("A listener failed on {} of queue '{}': {}", what, queue, listener, ex);
			}
		}
	}

}
