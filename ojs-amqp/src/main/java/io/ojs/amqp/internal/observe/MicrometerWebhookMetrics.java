package io.ojs.amqp.internal.observe;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.ojs.webhook.internal.WebhookMetrics;

/**
 * Meters of deliveries to webhooks, by Micrometer (OJS Webhooks §11.2):
 * {@code ojs.webhook.delivery} counts and times attempts, by event type and status. No
 * tag names a subscription, since their number has no limit.
 */
public final class MicrometerWebhookMetrics implements WebhookMetrics {

	private static final int MANY_TYPES = 64;

	private final MeterRegistry registry;

	private final BoundedNames types = new BoundedNames(List.of(), MANY_TYPES);

	public MicrometerWebhookMetrics(MeterRegistry registry) {
		this.registry = registry;
	}

	@Override
	public void attempted(String eventType, Outcome outcome, Duration duration) {
		Timer.builder("ojs.webhook.delivery")
			.description("Attempts to deliver events, by what came of them")
			.tag("event_type", this.types.admit(eventType))
			.tag("status", outcome.name().toLowerCase(Locale.ROOT))
			.register(this.registry)
			.record(duration);
	}

}
