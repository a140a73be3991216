package io.ojs.webhook.internal;

import io.ojs.webhook.Webhook;
import org.jspecify.annotations.Nullable;

/**
 * A subscription with its secrets, as {@link WebhookSecrets} seals them.
 *
 * @param secret the secret that signs events
 * @param previousSecret the previous secret, which also signs them until it expires
 */
public record Subscription(Webhook webhook, String secret, @Nullable String previousSecret) {

	/** Omits the secrets. */
	@Override
	public String toString() {
		return this.webhook.toString();
	}

}
