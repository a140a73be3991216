package io.ojs.cron;

import java.util.List;

import io.ojs.log.SafeLogger;
import org.slf4j.Logger;

/**
 * Tells every listener of an event. A listener that throws harms neither the cron nor the
 * other listeners.
 */
public final class CronEvents {

	private static final Logger logger = SafeLogger.of(CronEvents.class);

	private final List<CronEventListener> listeners;

	/**
	 * Creates a multicaster.
	 * @param listeners whom to tell, in this order
	 */
	public CronEvents(List<CronEventListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	/**
	 * Tells everybody.
	 * @param event what happened
	 */
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
