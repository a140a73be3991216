package io.ojs.queue.lifecycle;

import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

import io.ojs.log.SafeLogger;
import io.ojs.queue.QueueFullException;
import org.slf4j.Logger;

/**
 * Has events kept in a feed, and tells every listener. A listener that throws harms
 * neither the queue nor the other listeners.
 */
public final class QueueEvents {

	private static final Logger logger = SafeLogger.of(QueueEvents.class);

	private final List<QueueEventListener> listeners;

	private final QueueFeed feed;

	/**
	 * Creates a multicaster.
	 * @param listeners whom to tell, in this order
	 * @param feed keeps events
	 */
	public QueueEvents(List<QueueEventListener> listeners, QueueFeed feed) {
		this.listeners = List.copyOf(listeners);
		this.feed = feed;
	}

	/**
	 * Has events kept, in the transaction that they happen in. Listeners are told when it
	 * is committed, by {@link #publish}.
	 * @param now when they happen
	 * @param events what happens
	 */
	void keep(Instant now, List<? extends QueueEvent> events) {
		this.feed.append(List.copyOf(events), now);
	}

	/**
	 * Tells everybody.
	 * @param event what happened
	 */
	public void publish(QueueEvent event) {
		tell(event.name(), event.queue(), (listener) -> listener.onEvent(event));
	}

	/**
	 * Tells everybody that a full queue did not take a job.
	 * @param refused what the producer is told
	 */
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
