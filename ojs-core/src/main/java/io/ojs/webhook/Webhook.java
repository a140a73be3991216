package io.ojs.webhook;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.event.EventFeed;
import io.ojs.event.StoredEvent;
import org.jspecify.annotations.Nullable;

/**
 * A subscription (OJS Webhooks §5.1): the events to post, and the URL to post them to.
 * Its secrets are not part of it: {@link Webhooks#create} and {@link Webhooks#rotate}
 * return a new one once.
 *
 * @param id {@code sub_} and a UUIDv7
 * @param tenant the tenant whose events it receives; {@code null} for the events of all
 * @param url the URL that events are posted to
 * @param events types of events, such as {@code job.completed}, {@code job.*} or
 * {@code *}
 * @param filter further conditions for events
 * @param metadata metadata of its owner; values of JSON's own types
 * @param active whether events are posted
 * @param previousSecretUntil when the secret before the last rotation expires, which also
 * signs events until then
 * @param createdAt when it was created; no event from more than a minute before is posted
 * @param updatedAt when it was last changed; later with each change
 */
public record Webhook(String id, @Nullable String tenant, String url, List<String> events, WebhookFilter filter,
		Map<String, @Nullable Object> metadata, boolean active, @Nullable Instant previousSecretUntil,
		Instant createdAt, Instant updatedAt) {

	/** The prefix of its id. */
	public static final String ID_PREFIX = "sub_";

	/**
	 * How far ahead the clock of the process that created it may be. One event too many
	 * is better than a lost one.
	 */
	private static final Duration CLOCKS = Duration.ofMinutes(1);

	public Webhook {
		events = List.copyOf(events);
		metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
	}

	/**
	 * Whether an event is posted.
	 * @param event the event
	 * @return whether its type, tenant, queue and job type match, and it is not more than
	 * a minute older than the subscription
	 */
	public boolean wants(StoredEvent event) {
		return this.active && (this.tenant == null || this.tenant.equals(event.tenant()))
				&& !event.time().isBefore(this.createdAt.minus(CLOCKS))
				&& this.events.stream().anyMatch((wanted) -> wanted.equals("*") || EventFeed.isOf(wanted, event.type()))
				&& this.filter.matches(event);
	}

}
