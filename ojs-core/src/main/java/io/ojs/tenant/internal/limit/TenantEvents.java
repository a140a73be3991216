package io.ojs.tenant.internal.limit;

import java.util.List;

import io.ojs.internal.log.SafeLogger;
import io.ojs.tenant.TenantEvent;
import io.ojs.tenant.TenantEventListener;
import org.slf4j.Logger;

/**
 * Publishes events of tenants to all listeners. If a listener throws, neither the job nor
 * other listeners are affected.
 */
public final class TenantEvents {

	private static final Logger logger = SafeLogger.of(TenantEvents.class);

	private final List<TenantEventListener> listeners;

	public TenantEvents(List<TenantEventListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	/** Publishes an event. */
	public void publish(TenantEvent event) {
		for (TenantEventListener listener : this.listeners) {
			try {
				listener.onEvent(event);
			}
			catch (Throwable ex) {
				logger.warn("A listener failed on {} of tenant '{}': {}", event.getClass().getSimpleName(),
						event.tenant(), listener, ex);
			}
		}
	}

}
