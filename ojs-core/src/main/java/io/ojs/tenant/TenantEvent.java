package io.ojs.tenant;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An event of a tenant (OJS Multi-Tenancy §11.1).
 * <p>
 * A minor version may add kinds of events: a {@code switch} over them needs a
 * {@code default}.
 */
public sealed interface TenantEvent {

	/**
	 * The tenant.
	 * @return the id of the tenant
	 */
	String tenant();

	/**
	 * The name of the limit.
	 * @return {@code max_queue_depth}, {@code max_scheduled} or {@code max_enqueue_rate}
	 */
	String limit();

	/**
	 * The tenant has reached a limit: another job would be rejected. The feed has this
	 * event as {@code tenant.limit_exceeded}. Listeners in the process that enqueued the
	 * last job receive it after the commit.
	 *
	 * @param tenant the id of the tenant
	 * @param limit the name of the limit
	 * @param maximum the value of the limit
	 * @param queue the queue of the last job
	 */
	record LimitReached(String tenant, String limit, long maximum, String queue) implements TenantEvent {

		/** The name of the event in OJS Events. */
		public static final String NAME = "tenant.limit_exceeded";

		/**
		 * The data of the event.
		 * @return the data of the event in OJS Events: JSON values
		 */
		public Map<String, Object> data() {
			Map<String, Object> data = new LinkedHashMap<>();
			data.put("tenant_id", this.tenant);
			data.put("limit", this.limit);
			data.put("current", this.maximum);
			data.put("maximum", this.maximum);
			return data;
		}

	}

	/**
	 * Jobs of the tenant were rejected. Only listeners in the process of the caller
	 * receive this event; the feed does not have it.
	 *
	 * @param tenant the id of the tenant
	 * @param limit the name of the limit
	 * @param current how many jobs the tenant has, or has enqueued in this period
	 * @param maximum the value of the limit
	 * @param jobs how many jobs the caller tried to enqueue
	 */
	record Refused(String tenant, String limit, long current, long maximum, long jobs) implements TenantEvent {
	}

}
