package io.ojs.tenant.limit;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Something happened to a tenant (OJS Multi-Tenancy §11.1).
 */
public sealed interface TenantEvent {

	/**
	 * The tenant.
	 * @return its id
	 */
	String tenant();

	/**
	 * Which limit it is about.
	 * @return {@code max_queue_depth}, {@code max_scheduled} or {@code max_enqueue_rate}
	 */
	String limit();

	/**
	 * The tenant has as much as it may have: another job would be refused. Kept in the
	 * feed of events as {@code tenant.limit_exceeded}, and told in the process that
	 * enqueued the last job, after it has happened.
	 *
	 * @param tenant its id
	 * @param limit which limit
	 * @param maximum that limit
	 * @param queue the queue of the last job
	 */
	record LimitReached(String tenant, String limit, long maximum, String queue) implements TenantEvent {

		/** The name of the event in OJS Events. */
		public static final String NAME = "tenant.limit_exceeded";

		/**
		 * What there is to say.
		 * @return the data of the event in OJS Events: values that are JSON's own
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
	 * Jobs of the tenant were refused. Told in the process that was to enqueue them, and
	 * not kept.
	 *
	 * @param tenant its id
	 * @param limit which limit
	 * @param current what it has, or has enqueued in this period
	 * @param maximum that limit
	 * @param jobs how many were to be enqueued
	 */
	record Refused(String tenant, String limit, long current, long maximum, long jobs) implements TenantEvent {
	}

}
