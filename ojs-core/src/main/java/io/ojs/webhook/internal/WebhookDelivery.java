package io.ojs.webhook.internal;

import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import io.ojs.handler.JobContext;
import io.ojs.handler.JobFailedException;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.internal.JobRules;
import io.ojs.tenant.Tenants;
import io.ojs.webhook.Webhook;
import io.ojs.webhook.WebhookFailedException;
import io.ojs.webhook.WebhookReply;
import io.ojs.webhook.WebhookSender;
import io.ojs.webhook.internal.WebhookMetrics.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Delivers an event: the handler of the jobs that {@link WebhookDispatch} enqueues. Each
 * attempt reads the subscription again.
 */
public final class WebhookDelivery {

	/** The type of these jobs. */
	public static final String TYPE = JobRules.WEBHOOK_TYPE;

	/** The queue of these jobs. */
	public static final String QUEUE = "ojs-webhooks";

	/** The prefix of the id of a delivery; the id of its job follows. */
	public static final String ID_PREFIX = "del_";

	/** The key of {@code meta} for the id of the subscription. */
	public static final String META_SUBSCRIPTION = "webhook_subscription_id";

	/** The key of {@code meta} for the type of the event. */
	public static final String META_EVENT_TYPE = "webhook_event_type";

	/** The key of {@code meta} for the id of the event. */
	public static final String META_EVENT = "webhook_event_id";

	private final WebhookStore store;

	private final WebhookPost post;

	private final WebhookOptions options;

	private final WebhookMetrics metrics;

	public WebhookDelivery(WebhookStore store, WebhookSender sender, WebhookSecrets secrets, WebhookOptions options,
			WebhookMetrics metrics, Clock clock) {
		this.store = store;
		this.post = new WebhookPost(sender, secrets, new WebhookRules(options), clock);
		this.options = options;
		this.metrics = metrics;
	}

	/**
	 * Makes one attempt.
	 * @param context the job, whose {@code meta} has the id of the subscription
	 * @return the status of the answer, or why nothing was posted
	 * @throws JobFailedException if the receiver did not take the event; it says whether
	 * to retry
	 * @throws InterruptedException if the thread was told to end
	 */
	@OjsJobHandler(value = TYPE, queue = QUEUE, timeout = "90s")
	public Map<String, Object> deliver(Object event, JobContext context) throws InterruptedException {
		Job job = context.job();
		String id = String.valueOf(job.meta().get(META_SUBSCRIPTION));
		Subscription subscription = this.store.find(id).orElse(null);
		if (subscription == null) {
			return Map.of("dropped", "The subscription was deleted.");
		}
		Webhook webhook = subscription.webhook();
		if (!webhook.active()) {
			return Map.of("dropped", "The subscription is not active.");
		}
		if (!Objects.equals(webhook.tenant(), Tenants.of(job).orElse(null))) {
			return Map.of("dropped", "The subscription belongs to another tenant than the delivery.");
		}
		return deliver(subscription, ID_PREFIX + job.id(), envelope(job), context);
	}

	/**
	 * Returns the event as it came. The parameter of the handler has been through the
	 * application's mapper.
	 */
	@SuppressWarnings("unchecked")
	private static Map<String, @Nullable Object> envelope(Job job) {
		if (job.args().get(0) instanceof Map<?, ?> envelope) {
			return (Map<String, @Nullable Object>) envelope;
		}
		throw JobFailedException.deadLetter("webhook.no_event", "The job carries no event.");
	}

	private Map<String, Object> deliver(Subscription subscription, String deliveryId,
			Map<String, @Nullable Object> envelope, JobContext context) throws InterruptedException {
		String type = String.valueOf(envelope.get(WebhookEnvelope.TYPE));
		long start = System.nanoTime();
		WebhookReply reply;
		try {
			reply = this.post.post(subscription, deliveryId, envelope, this.options.timeout());
		}
		catch (WebhookFailedException ex) {
			throw failed(type, context, Duration.ofNanos(System.nanoTime() - start), ex.isRetryable(), ex.type(),
					String.valueOf(ex.getMessage()));
		}
		if (!reply.isSuccess()) {
			throw failed(type, context, reply.duration(), reply.isRetryable(), "webhook.status_" + reply.status(),
					"The receiver answered with %d.".formatted(reply.status()));
		}
		this.metrics.attempted(type, Outcome.SUCCESS, reply.duration());
		Map<String, Object> result = new LinkedHashMap<>();
		result.put("status_code", reply.status());
		result.put("response_time_ms", reply.duration().toMillis());
		return result;
	}

	private JobFailedException failed(String eventType, JobContext context, Duration duration, boolean retryable,
			String type, String message) {
		this.metrics.attempted(eventType, (retryable && !context.isLastAttempt()) ? Outcome.FAILED : Outcome.DEAD,
				duration);
		return retryable ? JobFailedException.retry(type, message) : JobFailedException.deadLetter(type, message);
	}

}
