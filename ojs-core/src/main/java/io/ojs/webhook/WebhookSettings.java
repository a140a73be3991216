package io.ojs.webhook;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What the owner of a subscription decides.
 *
 * @param url where events are posted
 * @param events types of events, such as {@code job.completed}, {@code job.*} or
 * {@code *}
 * @param filter what else an event has to be like
 * @param metadata what is written down beside it; JSON's own values
 * @param active whether events are posted at all
 */
public record WebhookSettings(String url, List<String> events, WebhookFilter filter,
		Map<String, @Nullable Object> metadata, boolean active) {

	/**
	 * Subscribes to events.
	 * @param url where they are posted
	 * @param events their types
	 * @return settings without a filter
	 */
	public static WebhookSettings of(String url, String... events) {
		return new WebhookSettings(url, List.of(events), WebhookFilter.NONE, Map.of(), true);
	}

	/**
	 * What a subscription has now.
	 * @param webhook the subscription
	 * @return its settings
	 */
	public static WebhookSettings of(Webhook webhook) {
		return new WebhookSettings(webhook.url(), webhook.events(), webhook.filter(), webhook.metadata(),
				webhook.active());
	}

	/**
	 * Says which events are wanted.
	 * @param value what else an event has to be like
	 * @return a changed copy
	 */
	public WebhookSettings filter(WebhookFilter value) {
		return new WebhookSettings(this.url, this.events, value, this.metadata, this.active);
	}

	/**
	 * Says whether events are posted at all.
	 * @param value whether they are
	 * @return a changed copy
	 */
	public WebhookSettings active(boolean value) {
		return new WebhookSettings(this.url, this.events, this.filter, this.metadata, value);
	}

}
