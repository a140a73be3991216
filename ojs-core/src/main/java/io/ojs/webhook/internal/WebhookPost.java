package io.ojs.webhook.internal;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

import io.ojs.internal.json.JsonObjects;
import io.ojs.webhook.InvalidWebhookException;
import io.ojs.webhook.WebhookFailedException;
import io.ojs.webhook.WebhookReply;
import io.ojs.webhook.WebhookSender;
import org.jspecify.annotations.Nullable;

/**
 * Makes the request for an event and posts it (OJS Webhooks §5.3).
 */
final class WebhookPost {

	private static final String AGENT = "OJS-Webhook/1.0";

	private final WebhookSender sender;

	private final WebhookSecrets secrets;

	private final WebhookRules rules;

	private final Clock clock;

	private final JsonObjects json = new JsonObjects();

	WebhookPost(WebhookSender sender, WebhookSecrets secrets, WebhookRules rules, Clock clock) {
		this.sender = sender;
		this.secrets = secrets;
		this.rules = rules;
		this.clock = clock;
	}

	/**
	 * Posts an event.
	 * @throws WebhookFailedException if the URL is not allowed, or the receiver does not
	 * answer
	 */
	WebhookReply post(Subscription subscription, String deliveryId, Map<String, @Nullable Object> envelope,
			Duration timeout) throws InterruptedException {
		URI url;
		try {
			// The rules may have changed since the subscription was created.
			url = this.rules.url(subscription.webhook().url());
		}
		catch (InvalidWebhookException ex) {
			throw new WebhookFailedException("webhook.url_refused", "The URL of the subscription is not allowed here.",
					false, ex);
		}
		Instant now = this.clock.instant();
		byte[] body = this.json.write(envelope);
		Map<String, String> headers = new LinkedHashMap<>();
		headers.put("Content-Type", "application/json");
		headers.put("User-Agent", AGENT);
		headers.put("X-OJS-Event-Type",
				String.valueOf(envelope.get(WebhookEnvelope.TYPE)).replaceAll("[^\\x21-\\x7e]", ""));
		headers.put("X-OJS-Delivery-ID", deliveryId);
		headers.put("X-OJS-Subscription-ID", subscription.webhook().id());
		headers.put(WebhookSignature.TIMESTAMP_HEADER, Long.toString(now.getEpochSecond()));
		headers.put(WebhookSignature.HEADER,
				WebhookSignature.of(this.secrets.of(subscription, now), now.getEpochSecond(), body));
		return this.sender.post(url, headers, body, timeout);
	}

}
