package io.ojs.tenant.limit;

/**
 * Is told what happens to tenants in this process. Called by the thread that does it, so
 * it should be quick; what it throws is logged and changes nothing.
 */
@FunctionalInterface
public interface TenantEventListener {

	/**
	 * Something happened.
	 * @param event what
	 */
	void onEvent(TenantEvent event);

}
