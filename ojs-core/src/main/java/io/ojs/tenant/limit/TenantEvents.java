package io.ojs.tenant.limit;

import java.util.List;

import io.ojs.log.SafeLogger;
import org.slf4j.Logger;

/**
 * Tells every listener what happens to tenants. A listener that throws harms neither the
 * job nor the other listeners.
 */
public final class TenantEvents {

	private static final Logger logger = SafeLogger.of(TenantEvents.class);

	private final List<TenantEventListener> listeners;

	/**
	 * Creates a multicaster.
	 * @param listeners whom to tell, in this order
	 */
	public TenantEvents(List<TenantEventListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	/**
	 * Tells everybody.
	 * @param event what happened
	 */
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
