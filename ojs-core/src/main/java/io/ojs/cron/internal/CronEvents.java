package io.ojs.cron.internal;

import java.util.List;

import io.ojs.cron.CronEvent;
import io.ojs.cron.CronEventListener;
import io.ojs.internal.log.SafeLogger;
import org.slf4j.Logger;

/**
 * Notifies all listeners of an event. A listener that throws affects neither the cron nor
 * the other listeners.
 */
public final class CronEvents {

	private static final Logger logger = SafeLogger.of(CronEvents.class);

	private final List<CronEventListener> listeners;

	public CronEvents(List<CronEventListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	/** Notifies all listeners. */
	public void publish(CronEvent event) {
		for (CronEventListener listener : this.listeners) {
			try {
				listener.onEvent(event);
			}
			catch (Throwable ex) {
				logger.warn("A listener failed on {} of cron '{}': {}", event.name(), event.cron().name(), listener,
						ex);
			}
		}
	}

}
