package io.ojs.cron.internal;

import java.util.List;

import io.ojs.cron.CronEvent;
import io.ojs.cron.CronEventListener;
import io.ojs.event.internal.Listeners;

/**
 * Notifies all listeners of an event. A listener that throws affects neither the cron nor
 * the other listeners.
 */
public final class CronEvents {

	private final Listeners<CronEventListener> listeners;

	public CronEvents(List<CronEventListener> listeners) {
		this.listeners = new Listeners<>(listeners);
	}

	/** Notifies all listeners. */
	public void publish(CronEvent event) {
		this.listeners.notifyOf(() -> "%s of cron '%s'".formatted(event.name(), event.cron().name()),
				(listener) -> listener.onEvent(event));
	}

}
