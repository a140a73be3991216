package io.ojs.tenant.internal.limit;

import java.util.List;

import io.ojs.event.internal.Listeners;
import io.ojs.tenant.TenantEvent;
import io.ojs.tenant.TenantEventListener;

/**
 * Publishes events of tenants to all listeners. If a listener throws, neither the job nor
 * other listeners are affected.
 */
public final class TenantEvents {

	private final Listeners<TenantEventListener> listeners;

	public TenantEvents(List<TenantEventListener> listeners) {
		this.listeners = new Listeners<>(listeners);
	}

	/** Publishes an event. */
	public void publish(TenantEvent event) {
		this.listeners.notifyOf(() -> "%s of tenant '%s'".formatted(event.getClass().getSimpleName(), event.tenant()),
				(listener) -> listener.onEvent(event));
	}

}
