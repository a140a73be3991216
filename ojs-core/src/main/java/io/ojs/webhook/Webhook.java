package io.ojs.webhook;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.event.EventFeed;
import io.ojs.event.StoredEvent;
import org.jspecify.annotations.Nullable;

/**
 * A subscription (OJS Webhooks §5.1): which events are posted where. Secrets in it are as
 * {@link WebhookSecrets} keeps them.
 *
 * @param id {@code sub_} and a UUIDv7
 * @param tenant whose events it gets; {@code null} for those of everybody
 * @param url where they are posted
 * @param events types of events, such as {@code job.completed}, {@code job.*} or
 * {@code *}
 * @param filter what else an event has to be like
 * @param metadata what its owner wrote down; JSON's own values
 * @param active whether events are posted at all
 * @param secret what signs them
 * @param previousSecret what signs them beside it, before it is forgotten
 * @param previousSecretUntil when it is forgotten
 * @param createdAt when it was made; no event from more than a minute before is posted
 * @param updatedAt when it was last changed; later with each change
 */
public record Webhook(String id, @Nullable String tenant, String url, List<String> events, WebhookFilter filter,
		Map<String, @Nullable Object> metadata, boolean active, String secret, @Nullable String previousSecret,
		@Nullable Instant previousSecretUntil, Instant createdAt, Instant updatedAt) {

	/** What its id begins with. */
	public static final String ID_PREFIX = "sub_";

	/**
	 * How much further the clock of whoever made it may be than those that events are
	 * told by: losing one is worse than one too many.
	 */
	private static final Duration CLOCKS = Duration.ofMinutes(1);

	public Webhook {
		events = List.copyOf(events);
		metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
	}

	/**
	 * Whether an event is posted.
	 * @param event the event
	 * @return whether it is one that was subscribed to, of the right tenant, and no older
	 * than the subscription, but for a minute, since clocks differ
	 */
	public boolean wants(StoredEvent event) {
		return this.active && (this.tenant == null || this.tenant.equals(event.tenant()))
				&& !event.time().isBefore(this.createdAt.minus(CLOCKS))
				&& this.events.stream().anyMatch((wanted) -> wanted.equals("*") || EventFeed.isOf(wanted, event.type()))
				&& this.filter.matches(event);
	}

	Webhook changed(WebhookSettings settings, Instant now) {
		return new Webhook(this.id, this.tenant, settings.url(), settings.events(), settings.filter(),
				settings.metadata(), settings.active(), this.secret, this.previousSecret, this.previousSecretUntil,
				this.createdAt, later(now));
	}

	Webhook rotated(String sealed, Instant previousUntil, Instant now) {
		return new Webhook(this.id, this.tenant, this.url, this.events, this.filter, this.metadata, this.active, sealed,
				this.secret, previousUntil, this.createdAt, later(now));
	}

	/** Each change has a time of its own, whoever's clock it is: by it one is noticed. */
	private Instant later(Instant now) {
		return now.isAfter(this.updatedAt) ? now : this.updatedAt.plus(1, ChronoUnit.MICROS);
	}

	/** Without the secrets. */
	@Override
	public String toString() {
		return "Webhook[id=%s, tenant=%s, url=%s, events=%s, active=%s]".formatted(this.id, this.tenant, this.url,
				this.events, this.active);
	}

}
