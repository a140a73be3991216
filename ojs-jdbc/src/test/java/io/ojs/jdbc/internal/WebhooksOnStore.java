package io.ojs.jdbc.internal;

import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;

import io.ojs.client.internal.EncodedJob;
import io.ojs.client.internal.JobFactory;
import io.ojs.client.internal.PreparedJobs;
import io.ojs.crypto.internal.JobEncryption;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.handler.internal.RetryPolicies;
import io.ojs.internal.json.JsonValues;
import io.ojs.jdbc.internal.webhook.JdbcWebhookStore;
import io.ojs.job.Job;
import io.ojs.job.JobQuery;
import io.ojs.retry.RetryPolicy;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.webhook.Webhook;
import io.ojs.webhook.WebhookSettings;
import io.ojs.webhook.Webhooks;
import io.ojs.webhook.internal.StoreWebhooks;
import io.ojs.webhook.internal.WebhookDelivery;
import io.ojs.webhook.internal.WebhookDispatch;
import io.ojs.webhook.internal.WebhookOptions;
import io.ojs.webhook.internal.WebhookSecrets;
import io.ojs.webhook.internal.WebhookStore;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Webhooks, and events that somebody subscribed to.
 */
abstract class WebhooksOnStore extends StoreContract {

	static final String URL = "https://example.com/ojs";

	final Clock clock = Clock.fixed(TestStores.NOW, ZoneOffset.UTC);

	final WebhookStore store = new JdbcWebhookStore(this.stores.database);

	final StoredOjs ojs = new StoredOjs(this.stores, factory(JobEncryption.OFF), this.clock);

	final Webhooks webhooks = webhooks(JobEncryption.OFF);

	final WebhookDispatch dispatch = dispatch(this.store, this.ojs);

	Webhooks webhooks(JobEncryption encryption) {
		return new StoreWebhooks(this.store, this.stores.transactions, new WebhookSecrets(encryption),
				WebhookOptions.DEFAULT, this.clock);
	}

	WebhookDispatch dispatch(WebhookStore store, PreparedJobs prepared) {
		return dispatch(store, prepared, JobEncryption.OFF);
	}

	WebhookDispatch dispatch(WebhookStore store, PreparedJobs prepared, JobEncryption encryption) {
		return new WebhookDispatch(store, this.stores.feed, this.stores.transactions, prepared, factory(encryption),
				WebhookOptions.DEFAULT, this.clock);
	}

	JobFactory factory(JobEncryption encryption) {
		return factory(encryption, 20_000);
	}

	JobFactory factory(JobEncryption encryption, int maxBytes) {
		JobHandlers handlers = new JobHandlers(List.of());
		return new JobFactory(handlers, new RetryPolicies((queue) -> RetryPolicy.DEFAULT, handlers),
				new JsonValues(JsonMapper.shared()), this.stores.codec, this.clock, maxBytes)
			.encryption(encryption);
	}

	Webhook subscribe(@Nullable String tenant, String... events) {
		return this.webhooks.create(tenant, WebhookSettings.of(URL, events), null).webhook();
	}

	/** More rounds than any test needs: deliveries that are delivered would never end. */
	void dispatchAll() {
		for (int i = 0; i < 100; i++) {
			if (!this.dispatch.dispatch()) {
				return;
			}
		}
		throw new AssertionError("There are always more events.");
	}

	/** The jobs that deliver, the oldest first. */
	List<Job> deliveries() {
		return this.stores.jobs.list(new JobQuery(WebhookDelivery.QUEUE, null, Set.of(), null, 1000))
			.stream()
			.map(StoredJob::job)
			.sorted((one, other) -> one.id().compareTo(other.id()))
			.toList();
	}

	/** A job that somebody enqueued, and that has this result by now. */
	EncodedJob completed(@Nullable String tenant, @Nullable Object result) {
		EncodedJob job = enqueued(tenant);
		Claim.Taken taken = this.stores.taken(job, TestStores.NOW);
		this.stores.attempts.settle(List.of(new Outcome.Completed(taken.lease(), result)),
				TestStores.NOW.plus(Duration.ofMillis(1)));
		return job;
	}

	EncodedJob enqueued(@Nullable String tenant) {
		return this.stores.keep(this.stores.encoded((job) -> (tenant != null) ? job.meta("tenant_id", tenant) : job),
				TestStores.LATER);
	}

}
