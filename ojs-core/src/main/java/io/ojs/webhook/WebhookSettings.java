package io.ojs.webhook;

import java.util.Collections;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The settings of a subscription that its owner can change.
 * <p>
 * Use {@link #of} and the methods that change a copy: the constructor changes when a
 * component is added.
 *
 * @param url the URL that events are posted to
 * @param events types of events, such as {@code job.completed}, {@code job.*} or
 * {@code *}
 * @param filter further conditions for events
 * @param metadata metadata of its owner; values of JSON's own types
 * @param active whether events are posted
 */
public record WebhookSettings(String url, List<String> events, WebhookFilter filter,
		Map<String, @Nullable Object> metadata, boolean active) {

	/**
	 * Creates active settings without a filter.
	 * @param url the URL that events are posted to
	 * @param events their types
	 * @return the settings
	 */
	public static WebhookSettings of(String url, String... events) {
		return new WebhookSettings(url, List.of(events), WebhookFilter.NONE, Map.of(), true);
	}

	/**
	 * Returns the settings of a subscription.
	 * @param webhook the subscription
	 * @return its settings
	 */
	public static WebhookSettings of(Webhook webhook) {
		return new WebhookSettings(webhook.url(), webhook.events(), webhook.filter(), webhook.metadata(),
				webhook.active());
	}

	/**
	 * Sets the URL.
	 * @param value the URL that events are posted to
	 * @return a copy with the URL
	 */
	public WebhookSettings url(String value) {
		return new WebhookSettings(value, this.events, this.filter, this.metadata, this.active);
	}

	/**
	 * Sets the types of events.
	 * @param values the types, such as {@code job.completed}, {@code job.*} or {@code *}
	 * @return a copy with the types
	 */
	public WebhookSettings events(String... values) {
		return new WebhookSettings(this.url, List.of(values), this.filter, this.metadata, this.active);
	}

	/**
	 * Sets the metadata.
	 * @param value metadata of its owner; values of JSON's own types
	 * @return a copy with the metadata
	 */
	public WebhookSettings metadata(Map<String, ? extends @Nullable Object> value) {
		return new WebhookSettings(this.url, this.events, this.filter, Collections.unmodifiableMap(value), this.active);
	}

	/**
	 * Sets the filter.
	 * @param value further conditions for events
	 * @return a copy with the filter
	 */
	public WebhookSettings filter(WebhookFilter value) {
		return new WebhookSettings(this.url, this.events, value, this.metadata, this.active);
	}

	/**
	 * Sets whether events are posted.
	 * @param value whether they are
	 * @return the changed copy
	 */
	public WebhookSettings active(boolean value) {
		return new WebhookSettings(this.url, this.events, this.filter, this.metadata, value);
	}

}
