package io.ojs.jdbc.internal;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import io.ojs.client.internal.JobFactory;
import io.ojs.client.internal.PreparedJobs;
import io.ojs.crypto.EncryptionKey;
import io.ojs.crypto.EncryptionKeys;
import io.ojs.crypto.PayloadCodec;
import io.ojs.crypto.UnencodableException;
import io.ojs.crypto.internal.EncryptedJobs;
import io.ojs.crypto.internal.FixedKeys;
import io.ojs.crypto.internal.JobEncryption;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.store.DuplicateIdException;
import io.ojs.store.JobNotStoredException;
import io.ojs.store.StoreException;
import io.ojs.webhook.internal.WebhookDispatch;
import io.ojs.webhook.internal.WebhookOptions;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * What becomes of events when their jobs cannot be made, or are many.
 */
abstract class WebhookBurdenContract extends WebhooksOnStore {

	private static final EncryptionKey KEY = EncryptionKey.of("k", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=");

	private static Map<?, ?> envelope(Job delivery) {
		return (Map<?, ?>) delivery.args().get(0);
	}

	private PreparedJobs failing(RuntimeException failure) {
		return (requests) -> {
			this.ojs.enqueueAgain(requests);
			throw failure;
		};
	}

	@Test
	void whateverIsWrongWithAllOfThemLosesNone() {
		subscribe(null, "job.enqueued");
		Job job = enqueued(null).job();
		enqueued(null);
		StoreException column = new StoreException("a column is not there yet", null);
		for (RuntimeException failure : List.of(column, new JobNotStoredException(job, column),
				new IllegalStateException("the key cannot be had now"))) {
			for (int i = 0; i < 2; i++) {
				Throwable thrown = catchThrowable(() -> dispatch(this.store, failing(failure)).dispatch());
				assertThat(thrown).isSameAs(failure);
				assertThat(deliveries()).isEmpty();
			}
		}
		dispatchAll();
		assertThat(deliveries()).hasSize(2);
	}

	/**
	 * The first finds that one of them cannot be, and what then fails is another thing.
	 */
	@Test
	void whatFailsBesideASingleOneLosesNone() {
		subscribe(null, "job.enqueued");
		enqueued(null);
		enqueued(null);
		List<Integer> calls = new ArrayList<>();
		PreparedJobs both = (requests) -> {
			calls.add(requests.size());
			if (calls.size() == 1) {
				throw new InvalidJobException("args", "it", "must be something else");
			}
			throw new StoreException("a column is not there yet", null);
		};
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> dispatch(this.store, both).dispatch());
		assertThat(calls).containsExactly(2, 1);
		dispatchAll();
		assertThat(deliveries()).hasSize(2);
	}

	@Test
	void oneThatCanNeverBeIsLeftOutAlone() {
		subscribe(null, "job.enqueued");
		Job bad = enqueued(null).job();
		Job good = enqueued(null).job();
		int times = 0;
		for (RuntimeException failure : List.of(new DuplicateIdException(bad.id(), null),
				new JobNotStoredException(bad, new DuplicateIdException(bad.id(), null)),
				new JobNotStoredException(bad, new InvalidJobException("args", "it", "must be another")))) {
			PreparedJobs picky = (requests) -> {
				if (requests.stream().anyMatch((request) -> isOf(request, bad))) {
					throw failure;
				}
				return this.ojs.enqueueAgain(requests);
			};
			// The same events each time.
			this.stores.jdbc().update("update ojs_feed set feed_position = 0 where name = 'webhooks'");
			dispatch(this.store, picky).dispatch();
			assertThat(deliveries()).hasSize(++times)
				.allSatisfy((job) -> assertThat(envelope(job).get("subject")).isEqualTo(good.id()));
		}
	}

	private static boolean isOf(JobRequest request, Job job) {
		return job.id().equals(((Map<?, ?>) request.args().get(0)).get("subject"));
	}

	/**
	 * 6 subscriptions and 100 events: more than one transaction takes, and all of them.
	 */
	@Test
	void manyDeliveriesTakeSeveralTransactions() {
		for (int i = 0; i < 6; i++) {
			subscribe(null, "job.enqueued");
		}
		for (int i = 0; i < 100; i++) {
			enqueued(null);
		}
		List<Integer> sizes = new ArrayList<>();
		PreparedJobs counting = (requests) -> {
			sizes.add(requests.size());
			return this.ojs.enqueueAgain(requests);
		};
		while (dispatch(this.store, counting).dispatch()) {
			assertThat(sizes).isNotEmpty();
		}
		assertThat(sizes).containsExactly(504, 96);
		assertThat(deliveries()).hasSize(600);
	}

	private List<Integer> dispatchLarge(int subscriptions, int events) {
		for (int i = 0; i < subscriptions; i++) {
			subscribe(null, "job.completed");
		}
		for (int i = 0; i < events; i++) {
			completed(null, "x".repeat(300_000));
		}
		JobFactory large = factory(JobEncryption.OFF, 1_000_000);
		StoredOjs enqueuing = new StoredOjs(this.stores, large, this.clock);
		List<Integer> sizes = new ArrayList<>();
		WebhookDispatch dispatching = new WebhookDispatch(this.store, this.stores.feed, this.stores.transactions,
				(requests) -> {
					sizes.add(requests.size());
					return enqueuing.enqueueAgain(requests);
				}, large, WebhookOptions.DEFAULT, this.clock);
		while (dispatching.dispatch()) {
			assertThat(sizes).isNotEmpty();
		}
		return sizes;
	}

	@Test
	void largeDeliveriesTakeSeveralTransactions() {
		assertThat(dispatchLarge(30, 3)).containsExactly(30, 30, 30);
		assertThat(deliveries()).hasSize(90).allSatisfy((job) -> assertThat(data(job).get("result")).isNotNull());
	}

	@Test
	void whatIsTooMuchForAllSubscriptionsTogetherIsLeftOut() {
		assertThat(dispatchLarge(60, 1)).containsExactly(60);
		assertThat(deliveries()).hasSize(60).allSatisfy((job) -> {
			assertThat(data(job).get("result_omitted")).isEqualTo(true);
			assertThat(data(job).get("result")).isNull();
		});
	}

	private static Map<?, ?> data(Job delivery) {
		return (Map<?, ?>) envelope(delivery).get("data");
	}

	@Test
	void whileNoKeyCanBeHadEventsWait() {
		subscribe(null, "job.enqueued");
		enqueued(null);
		AtomicInteger asked = new AtomicInteger();
		JobEncryption encryption = new JobEncryption(new EncryptionKeys() {

			@Override
			public EncryptionKey active() {
				if (asked.getAndIncrement() < 2) {
					throw new IllegalStateException("the vault is closed");
				}
				return KEY;
			}

			@Override
			public Optional<EncryptionKey> find(String id) {
				return Optional.of(KEY);
			}

		}, EncryptedJobs.ALL, List.of());
		WebhookDispatch dispatching = dispatch(this.store, this.ojs, encryption);
		for (int i = 0; i < 2; i++) {
			assertThatExceptionOfType(IllegalStateException.class).isThrownBy(dispatching::dispatch);
		}
		dispatching.dispatch();
		assertThat(deliveries()).hasSize(1);
	}

	@Test
	void whatACodecCannotEncodeIsLeftOut() {
		subscribe(null, "job.completed");
		completed(null, "poison");
		completed(null, "good");
		JobEncryption encryption = encryption("poison");
		WebhookDispatch dispatching = dispatch(this.store, this.ojs, encryption);
		while (dispatching.dispatch()) {
			assertThat(deliveries()).isNotEmpty();
		}
		assertThat(deliveries()).extracting(encryption::decrypt)
			.extracting((job) -> String.valueOf(data(job).get("result")))
			.containsExactly("null", "good");
	}

	@Test
	void anEventThatACodecCannotEncodeAtAllIsToldToNobody() {
		subscribe(null, "job.enqueued");
		String bad = enqueued(null).job().id();
		String good = enqueued(null).job().id();
		JobEncryption encryption = encryption(bad);
		dispatch(this.store, this.ojs, encryption).dispatch();
		assertThat(deliveries()).extracting(encryption::decrypt)
			.extracting((job) -> String.valueOf(envelope(job).get("subject")))
			.containsExactly(good);
	}

	@Test
	void whileACodecEncodesNothingEventsWait() {
		subscribe(null, "job.enqueued");
		enqueued(null);
		assertThatExceptionOfType(UnencodableException.class)
			.isThrownBy(() -> dispatch(this.store, this.ojs, encryption("")).dispatch());
		dispatchAll();
		assertThat(deliveries()).hasSize(1);
	}

	/** With a codec that fails with whatever contains this. */
	private static JobEncryption encryption(String poison) {
		return new JobEncryption(new FixedKeys("k", List.of(KEY)), EncryptedJobs.ALL, List.of(new PayloadCodec() {

			@Override
			public String encoding() {
				return "picky/plain";
			}

			@Override
			public byte[] encode(byte[] plain) {
				if (new String(plain, StandardCharsets.UTF_8).contains(poison)) {
					throw new IllegalArgumentException("that is not to be encoded");
				}
				return plain.clone();
			}

			@Override
			public byte[] decode(byte[] encoded) {
				return encoded;
			}

		}));
	}

}
