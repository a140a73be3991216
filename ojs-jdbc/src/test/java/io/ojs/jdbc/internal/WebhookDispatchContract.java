package io.ojs.jdbc.internal;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

import io.ojs.client.internal.EncodedJob;
import io.ojs.client.internal.PreparedJobs;
import io.ojs.crypto.EncryptionKey;
import io.ojs.crypto.internal.EncryptedJobs;
import io.ojs.crypto.internal.FixedKeys;
import io.ojs.crypto.internal.JobEncryption;
import io.ojs.internal.json.RateLimitJson;
import io.ojs.jdbc.internal.webhook.JdbcWebhookStore;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.OnLimit;
import io.ojs.retry.RetryPolicy;
import io.ojs.store.StoreUnavailableException;
import io.ojs.webhook.Webhook;
import io.ojs.webhook.WebhookFilter;
import io.ojs.webhook.WebhookSettings;
import io.ojs.webhook.internal.WebhookDelivery;
import io.ojs.webhook.internal.WebhookDispatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How events become jobs that deliver them.
 */
abstract class WebhookDispatchContract extends WebhooksOnStore {

	private static Map<?, ?> envelope(Job delivery) {
		return (Map<?, ?>) delivery.args().get(0);
	}

	private static Map<?, ?> data(Job delivery) {
		return (Map<?, ?>) envelope(delivery).get("data");
	}

	private List<String> types() {
		return deliveries().stream().map((job) -> String.valueOf(envelope(job).get("type"))).toList();
	}

	@Test
	void anEventBecomesAJobForEachWhoSubscribed() {
		Webhook one = subscribe(null, "job.completed");
		Webhook two = subscribe(null, "job.*");
		subscribe(null, "queue.*");
		EncodedJob job = completed(null, Map.of("sent", 1));
		dispatchAll();
		assertThat(deliveries()).hasSize(4);
		Job delivery = deliveries().stream()
			.filter((each) -> each.meta().get(WebhookDelivery.META_SUBSCRIPTION).equals(one.id()))
			.findFirst()
			.orElseThrow();
		assertThat(delivery.type()).isEqualTo("ojs.webhook.deliver");
		assertThat(delivery.meta()).containsEntry("webhook_event_type", "job.completed")
			.containsEntry("webhook_event_id", envelope(delivery).get("id"))
			.doesNotContainKey("tenant_id");
		assertThat(envelope(delivery).keySet().stream().map(Object::toString)).containsExactly("specversion", "id",
				"type", "source", "time", "subject", "data");
		assertThat(envelope(delivery).get("subject")).isEqualTo(job.job().id());
		assertThat(data(delivery).get("result")).isEqualTo(Map.of("sent", 1));
		assertThat(deliveries()).filteredOn((each) -> each.meta().containsValue(two.id()))
			.extracting((each) -> String.valueOf(envelope(each).get("type")))
			.containsExactly("job.enqueued", "job.started", "job.completed");
		RetryPolicy policy = RetryPolicy.DEFAULT.with(delivery.retry());
		assertThat(policy.maxAttempts()).isEqualTo(8);
		assertThat(policy.initialInterval()).isEqualTo(Duration.ofSeconds(30));
		assertThat(policy.maxInterval()).isEqualTo(Duration.ofDays(1));
	}

	@Test
	void whatIsSaidOfDeliveriesIsNotDelivered() {
		subscribe(null, "*");
		completed(null, null);
		dispatchAll();
		int before = deliveries().size();
		assertThat(before).isEqualTo(3);
		// No more of one subscription run at a time.
		deliveries().stream().limit(2).forEach((job) -> this.stores.taken(this.stores.encodedAs(job), TestStores.NOW));
		dispatchAll();
		assertThat(deliveries()).hasSize(before);
	}

	@Test
	void eventsAreChosenByQueueAndTypeOfTheJob() {
		this.webhooks.create(null, WebhookSettings.of(URL, "*").filter(WebhookFilter.NONE.queues("other")), null);
		this.webhooks.create(null, WebhookSettings.of(URL, "*").filter(WebhookFilter.NONE.jobTypes("other.type")),
				null);
		completed(null, null);
		dispatchAll();
		assertThat(deliveries()).isEmpty();
		this.webhooks.create(null, WebhookSettings.of(URL, "job.completed")
			.filter(WebhookFilter.NONE.queues("mail").jobTypes("email.send")), null);
		completed(null, null);
		dispatchAll();
		assertThat(types()).containsExactly("job.completed");
	}

	@Test
	void aTenantGetsItsOwnEventsAndOperatorsAll() {
		Webhook own = subscribe("acme", "job.enqueued");
		Webhook others = subscribe("rival", "job.enqueued");
		Webhook operators = subscribe(null, "job.enqueued");
		enqueued("acme");
		enqueued(null);
		dispatchAll();
		assertThat(deliveries()).filteredOn((job) -> job.meta().containsValue(own.id()))
			.singleElement()
			.satisfies((job) -> assertThat(job.meta()).containsEntry("tenant_id", "acme"));
		assertThat(deliveries()).noneMatch((job) -> job.meta().containsValue(others.id()));
		assertThat(deliveries()).filteredOn((job) -> job.meta().containsValue(operators.id()))
			.hasSize(2)
			.allSatisfy((job) -> assertThat(job.meta()).doesNotContainKey("tenant_id"));
	}

	@Test
	void eventsOfATenantNameNoProcesses() {
		subscribe("acme", "job.started");
		subscribe(null, "job.started");
		this.stores.taken(enqueued("acme"), TestStores.NOW);
		this.stores.taken(enqueued(null), TestStores.NOW);
		dispatchAll();
		assertThat(deliveries()).hasSize(3)
			.allSatisfy((job) -> assertThat(data(job).containsKey("worker_id"))
				.isEqualTo(!data(job).containsKey("tenant_id")));
	}

	@Test
	void whatWasBeforeOrWhileItWasOffIsNotDelivered() {
		enqueued(null);
		Webhook webhook = subscribe(null, "*");
		// Made later than what happened, by more than clocks may differ.
		made(TestStores.NOW.plusSeconds(61));
		dispatchAll();
		assertThat(deliveries()).isEmpty();
		made(TestStores.NOW);
		this.webhooks.change(webhook.id(), (settings) -> settings.active(false));
		enqueued(null);
		dispatchAll();
		this.webhooks.change(webhook.id(), (settings) -> settings.active(true));
		enqueued(null);
		dispatchAll();
		assertThat(deliveries()).hasSize(1);
	}

	/** By whoever tells the time elsewhere. */
	private void made(Instant time) {
		this.stores.jdbc()
			.update("update ojs_webhook set created_at = ?, updated_at = ?", time.atOffset(ZoneOffset.UTC),
					time.atOffset(ZoneOffset.UTC));
	}

	@Test
	void whoseClockIsAheadLosesNothing() {
		subscribe(null, "*");
		made(TestStores.NOW.plusSeconds(30));
		enqueued(null);
		dispatchAll();
		assertThat(deliveries()).hasSize(1);
	}

	/** Its receiver may hang: those of others must not wait for it. */
	@Test
	void fewDeliveriesOfASubscriptionRunAtATime() {
		Webhook webhook = subscribe("acme", "job.enqueued");
		enqueued("acme");
		dispatchAll();
		assertThat(RateLimitJson.of(deliveries().get(0))).hasValueSatisfying((limit) -> {
			assertThat(limit.partition("acme")).isEqualTo("ojs.webhook:" + webhook.id());
			assertThat(limit.concurrency()).isEqualTo(2);
			assertThat(limit.onLimit()).isEqualTo(OnLimit.WAIT);
		});
	}

	@Test
	void severalProcessesDeliverAnEventOnce() throws Exception {
		Webhook one = subscribe(null, "job.enqueued");
		Webhook two = subscribe(null, "job.enqueued");
		List<String> jobs = Collections.synchronizedList(new ArrayList<>());
		AtomicBoolean over = new AtomicBoolean();
		Threads.together(4, (thread) -> {
			if (thread == 0) {
				try {
					for (int i = 0; i < 300; i++) {
						jobs.add(enqueued(null).job().id());
					}
				}
				finally {
					over.set(true);
				}
				return;
			}
			WebhookDispatch another = dispatch(new JdbcWebhookStore(this.stores.database), this.ojs);
			boolean last = false;
			while (!last) {
				last = over.get();
				while (another.dispatch()) {
					last = false;
				}
			}
		});
		dispatchAll();
		for (Webhook webhook : List.of(one, two)) {
			assertThat(deliveries()).filteredOn((job) -> job.meta().containsValue(webhook.id()))
				.extracting((job) -> String.valueOf(envelope(job).get("subject")))
				.containsExactlyInAnyOrderElementsOf(jobs);
		}
	}

	@Test
	void whoDiesInTheMiddleHasDoneNothing() {
		subscribe(null, "job.enqueued");
		enqueued(null);
		enqueued(null);
		PreparedJobs dying = (requests) -> {
			this.ojs.enqueueAgain(requests);
			throw new StoreUnavailableException("the process is gone", null);
		};
		assertThatExceptionOfType(StoreUnavailableException.class)
			.isThrownBy(() -> dispatch(this.store, dying).dispatch());
		assertThat(deliveries()).isEmpty();
		dispatchAll();
		assertThat(deliveries()).hasSize(2);
	}

	@Test
	void anEventOfWhichNoJobCanBeMadeHoldsUpNoOther() {
		subscribe(null, "job.enqueued");
		String bad = enqueued(null).job().id();
		String good = enqueued(null).job().id();
		PreparedJobs picky = (requests) -> {
			requests.forEach((request) -> refuse(request, bad));
			return this.ojs.enqueueAgain(requests);
		};
		WebhookDispatch other = dispatch(this.store, picky);
		while (other.dispatch()) {
			// There is more.
			continue;
		}
		assertThat(deliveries()).extracting((job) -> String.valueOf(envelope(job).get("subject")))
			.containsExactly(good);
	}

	private static void refuse(JobRequest request, String subject) {
		if (subject.equals(((Map<?, ?>) request.args().get(0)).get("subject"))) {
			throw new InvalidJobException("args", "it", "must be something else");
		}
	}

	@Test
	void aResultThatNoJobCanCarryIsLeftOut() {
		subscribe(null, "job.completed");
		completed(null, nested(99));
		completed(null, "x".repeat(30_000));
		completed(null, "fits");
		dispatchAll();
		assertThat(deliveries()).hasSize(3);
		assertThat(deliveries().subList(0, 2)).allSatisfy((job) -> {
			assertThat(data(job).get("result_omitted")).isEqualTo(true);
			assertThat(data(job).get("job_type")).isEqualTo("email.send");
			assertThat(data(job).get("attempt")).isEqualTo(1);
			assertThat(data(job).get("result")).isNull();
		});
		assertThat(data(deliveries().get(2)).get("result")).isEqualTo("fits");
		assertThat(data(deliveries().get(2)).get("result_omitted")).isNull();
	}

	private static @Nullable Object nested(int depth) {
		Object value = "bottom";
		for (int i = 0; i < depth; i++) {
			value = List.of(value);
		}
		return value;
	}

	@Test
	void anEventThatNobodyCanReadAnyMoreIsToldAsFarAsItCan() {
		subscribe(null, "job.enqueued");
		enqueued(null);
		enqueued(null);
		// A number that can be written, and is too long to be read.
		this.stores.jdbc()
			.update("update ojs_event set events = replace(events, '{\\\"job_type', ?) "
					+ "where seq = (select min(seq) from ojs_event)",
					"{\\\"result\\\":" + "9".repeat(2000) + ",\\\"job_type");
		dispatchAll();
		assertThat(deliveries()).hasSize(2);
		assertThat(data(deliveries().get(0)).get("data_omitted")).isEqualTo(true);
		assertThat(data(deliveries().get(0)).get("result_omitted")).isNull();
		assertThat(data(deliveries().get(1)).get("job_type")).isEqualTo("email.send");
	}

	@Test
	void deliveriesAreEncryptedAsOtherJobs() {
		JobEncryption encryption = new JobEncryption(
				new FixedKeys("k", List.of(EncryptionKey.of("k", Base64.getEncoder().encodeToString(new byte[32])))),
				EncryptedJobs.ALL, List.of());
		subscribe(null, "job.completed");
		completed(null, "a result");
		dispatch(this.store, this.ojs, encryption).dispatch();
		Job delivery = deliveries().get(0);
		assertThat(JobEncryption.isEncoded(delivery.args())).isTrue();
		assertThat(data(encryption.decrypt(delivery)).get("result")).isEqualTo("a result");
	}

	@Test
	void nobodyElseMakesSuchJobs() {
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> this.ojs.enqueue(JobRequest.of(WebhookDelivery.TYPE, Map.of())))
			.withMessageContaining("'type'");
	}

}
