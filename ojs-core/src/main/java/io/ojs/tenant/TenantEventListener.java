package io.ojs.tenant;

/**
 * Receives the events of tenants in this process. The thread that enqueues calls it, so
 * it should be quick. The library logs its exceptions and otherwise ignores them.
 */
@FunctionalInterface
public interface TenantEventListener {

	/**
	 * Receives an event.
	 * @param event the event
	 */
	void onEvent(TenantEvent event);

}
