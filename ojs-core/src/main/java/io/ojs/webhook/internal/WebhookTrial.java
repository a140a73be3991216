package io.ojs.webhook.internal;

import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

import io.ojs.job.JobIdGenerator;
import io.ojs.job.internal.Rfc3339;
import io.ojs.webhook.Webhook;
import io.ojs.webhook.WebhookFailedException;
import io.ojs.webhook.WebhookNotFoundException;
import io.ojs.webhook.WebhookReply;
import io.ojs.webhook.WebhookSender;
import org.jspecify.annotations.Nullable;

/**
 * Posts a test event, to check a receiver (OJS Webhooks §6.6). Callers wait for it, so
 * the number of tests at a time and their duration are limited.
 */
public final class WebhookTrial {

	/** The largest number of tests at a time, each of another owner. */
	public static final int AT_ONCE = 4;

	/** The type of the event. */
	public static final String EVENT = "webhook.test";

	private static final Duration LONGEST = Duration.ofSeconds(10);

	private final WebhookStore store;

	private final WebhookPost post;

	private final Duration timeout;

	private final Clock clock;

	private final JobIdGenerator ids;

	private final Semaphore free = new Semaphore(AT_ONCE);

	/** The owners of the tests in progress. One owner does not take all places. */
	private final Set<Optional<String>> owners = ConcurrentHashMap.newKeySet();

	public WebhookTrial(WebhookStore store, WebhookSender sender, WebhookSecrets secrets, WebhookOptions options,
			Clock clock) {
		this.store = store;
		this.post = new WebhookPost(sender, secrets, new WebhookRules(options), clock);
		this.timeout = (options.timeout().compareTo(LONGEST) < 0) ? options.timeout() : LONGEST;
		this.clock = clock;
		this.ids = new JobIdGenerator(clock);
	}

	/**
	 * Posts a test event, and waits up to ten seconds for the answer.
	 * @param webhook the subscription, active or not
	 * @return the result; empty if too many tests run now, or one of the same owner does
	 * @throws WebhookNotFoundException if the subscription does not exist any more
	 */
	public Optional<Result> run(Webhook webhook) {
		Optional<String> owner = Optional.ofNullable(webhook.tenant());
		if (!this.owners.add(owner)) {
			return Optional.empty();
		}
		try {
			return this.free.tryAcquire() ? Optional.of(posted(webhook)) : Optional.empty();
		}
		finally {
			this.owners.remove(owner);
		}
	}

	private Result posted(Webhook webhook) {
		try {
			return post(webhook);
		}
		finally {
			this.free.release();
		}
	}

	private Result post(Webhook webhook) {
		Subscription subscription = this.store.find(webhook.id())
			.orElseThrow(() -> new WebhookNotFoundException(webhook.id()));
		String id = this.ids.next();
		Map<String, @Nullable Object> data = new LinkedHashMap<>();
		data.put("subscription_id", webhook.id());
		if (webhook.tenant() != null) {
			data.put("tenant_id", webhook.tenant());
		}
		String now = Rfc3339.format(this.clock.instant());
		Map<String, @Nullable Object> envelope = WebhookEnvelope.of("evt_" + id, EVENT, "ojs://webhooks", now,
				webhook.id(), data);
		long start = System.nanoTime();
		try {
			WebhookReply reply = this.post.post(subscription, WebhookDelivery.ID_PREFIX + id, envelope, this.timeout);
			return new Result(reply.isSuccess(), reply.status(), reply.duration(), reply.body(), null);
		}
		catch (WebhookFailedException ex) {
			return new Result(false, null, Duration.ofNanos(System.nanoTime() - start), null, ex.getMessage());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return new Result(false, null, Duration.ofNanos(System.nanoTime() - start), null, "It was interrupted.");
		}
	}

	/**
	 * The result of a test.
	 *
	 * @param success whether the receiver took the event
	 * @param status the HTTP status; {@code null} without an answer
	 * @param body the beginning of the answer's body; {@code null} without an answer
	 * @param error the error; {@code null} with an answer
	 */
	public record Result(boolean success, @Nullable Integer status, Duration duration, @Nullable String body,
			@Nullable String error) {
	}

}
