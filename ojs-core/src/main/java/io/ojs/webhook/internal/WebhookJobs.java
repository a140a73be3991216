package io.ojs.webhook.internal;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

import io.ojs.client.internal.JobFactory;
import io.ojs.crypto.UnencodableException;
import io.ojs.event.StoredEvent;
import io.ojs.internal.log.SafeLogger;
import io.ojs.job.JobIdGenerator;
import io.ojs.job.JobRequest;
import io.ojs.job.RateLimit;
import io.ojs.job.RateScope;
import io.ojs.job.internal.JobRules;
import io.ojs.retry.BackoffStrategy;
import io.ojs.retry.OnExhaustion;
import io.ojs.tenant.Tenants;
import io.ojs.webhook.Webhook;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Makes the jobs that deliver an event: one for each subscription, all with the same
 * content.
 */
final class WebhookJobs {

	/**
	 * The largest total size in bytes of the jobs of one event, which one transaction
	 * enqueues. The smallest variant of an event may exceed it.
	 */
	static final long MAX_BYTES = 16L * 1024 * 1024;

	private static final Logger logger = SafeLogger.of(WebhookJobs.class);

	/** The prefix of the key of a subscription's limit. */
	private static final String LIMIT_PREFIX = JobRules.WEBHOOK_LIMIT;

	/**
	 * The number of deliveries to one receiver at a time, so that a receiver that does
	 * not answer takes no more places.
	 */
	private static final int AT_ONCE = 2;

	private static final double BACKOFF = 4;

	private static final Duration LONGEST_INTERVAL = Duration.ofDays(1);

	/** Stands for a job that cannot be made. */
	private static final long NOT_AT_ALL = Long.MAX_VALUE;

	private final JobFactory factory;

	private final WebhookOptions options;

	private final JobIdGenerator ids;

	WebhookJobs(JobFactory factory, WebhookOptions options, JobIdGenerator ids) {
		this.factory = factory;
		this.options = options;
		this.ids = ids;
	}

	/**
	 * Makes the jobs.
	 * @param webhooks the subscriptions that may match
	 * @return the jobs; none if no subscription matches, or no job can carry the event
	 * @throws RuntimeException if no job can be encrypted now, whatever the event
	 */
	Batch of(StoredEvent event, List<Webhook> webhooks) {
		List<Webhook> wanting = isOwn(event) ? List.of()
				: webhooks.stream().filter((webhook) -> webhook.wants(event)).toList();
		if (wanting.isEmpty()) {
			return Batch.NONE;
		}
		// If the longest job can carry the event, all can.
		Webhook longest = wanting.stream().max(Comparator.comparingInt(WebhookJobs::tenantBytes)).orElseThrow();
		List<Map<String, @Nullable Object>> variants = WebhookEnvelope.variants(event);
		for (Map<String, @Nullable Object> envelope : variants) {
			boolean least = envelope == variants.get(variants.size() - 1);
			JobRequest plain = request(event, envelope);
			if (bytes(plain, longest) == NOT_AT_ALL) {
				continue;
			}
			JobRequest request = encrypted(plain, least);
			long bytes = (request != null) ? bytes(request, longest) : NOT_AT_ALL;
			if (request != null && (bytes <= MAX_BYTES / wanting.size() || (least && bytes != NOT_AT_ALL))) {
				return new Batch(wanting.stream().map((webhook) -> to(webhook, request)).toList(),
						bytes * wanting.size());
			}
		}
		logger.error("Event {} ({}) is not posted to any webhook: no job can carry it", event.id(), event.type());
		return Batch.NONE;
	}

	/**
	 * Whether the event is about a delivery. Such events are not delivered, which would
	 * never end.
	 */
	private static boolean isOwn(StoredEvent event) {
		return WebhookDelivery.TYPE.equals(event.data().get(WebhookEnvelope.JOB_TYPE))
				|| WebhookDelivery.QUEUE.equals(event.subject());
	}

	private static int tenantBytes(Webhook webhook) {
		return (webhook.tenant() != null) ? webhook.tenant().getBytes(StandardCharsets.UTF_8).length : 0;
	}

	/** Returns the size of the envelope. */
	private long bytes(JobRequest request, Webhook webhook) {
		try {
			return this.factory.again(to(webhook, request)).body().length;
		}
		catch (RuntimeException ex) {
			// Including exceptions of the JSON writer.
			logger.debug("No job can carry all of an event", ex);
			return NOT_AT_ALL;
		}
	}

	/**
	 * Encrypts the job. Returns {@code null} if a codec cannot encode it. Throws if keys
	 * are missing now, or if the codecs cannot encode any job, because a later try may
	 * succeed.
	 */
	private @Nullable JobRequest encrypted(JobRequest request, boolean least) {
		try {
			return this.factory.encryption().encrypt(request, WebhookDelivery.QUEUE);
		}
		catch (UnencodableException ex) {
			logger.debug("An event cannot be encoded as a whole", ex);
			if (least) {
				this.factory.encryption().encrypt(JobRequest.of(WebhookDelivery.TYPE), WebhookDelivery.QUEUE);
			}
			return null;
		}
	}

	private JobRequest request(StoredEvent event, Map<String, @Nullable Object> envelope) {
		Duration first = this.options.initialInterval();
		Duration longest = (first.compareTo(LONGEST_INTERVAL) < 0) ? LONGEST_INTERVAL : first;
		return JobRequest.of(WebhookDelivery.TYPE, envelope)
			.queue(WebhookDelivery.QUEUE)
			.meta(WebhookDelivery.META_EVENT, event.id())
			.meta(WebhookDelivery.META_EVENT_TYPE, event.type())
			.retry((retry) -> retry.maxAttempts(this.options.maxAttempts())
				.initialInterval(first)
				.maxInterval(longest)
				.backoffCoefficient(BACKOFF)
				.backoffStrategy(BackoffStrategy.EXPONENTIAL)
				.onExhaustion(OnExhaustion.DEAD_LETTER));
	}

	private JobRequest to(Webhook webhook, JobRequest request) {
		JobRequest own = request.id(this.ids.next())
			.meta(WebhookDelivery.META_SUBSCRIPTION, webhook.id())
			.rateLimit(RateLimit.of(LIMIT_PREFIX + webhook.id()).concurrency(AT_ONCE).scope(RateScope.GLOBAL));
		return (webhook.tenant() != null) ? own.meta(Tenants.META_KEY, webhook.tenant()) : own;
	}

	/**
	 * The jobs of one event.
	 *
	 */
	record Batch(List<JobRequest> jobs, long bytes) {

		static final Batch NONE = new Batch(List.of(), 0);

	}

}
