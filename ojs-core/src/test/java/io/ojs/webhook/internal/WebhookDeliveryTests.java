package io.ojs.webhook.internal;

import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import io.ojs.crypto.EncryptionKey;
import io.ojs.crypto.internal.EncryptedJobs;
import io.ojs.crypto.internal.FixedKeys;
import io.ojs.crypto.internal.JobEncryption;
import io.ojs.handler.JobContext;
import io.ojs.handler.JobFailedException;
import io.ojs.job.Job;
import io.ojs.retry.FailureResponse;
import io.ojs.webhook.Webhook;
import io.ojs.webhook.WebhookFailedException;
import io.ojs.webhook.WebhookFilter;
import io.ojs.webhook.WebhookReply;
import io.ojs.webhook.WebhookSender;
import io.ojs.webhook.WebhookSettings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a delivery posts, and what becomes of it.
 */
class WebhookDeliveryTests {

	private static final Instant NOW = Instant.parse("2030-03-01T12:00:00.5Z");

	private static final String JOB = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";

	private final WebhookSecrets secrets = new WebhookSecrets(JobEncryption.OFF);

	/** Knows one subscription at most, and nothing else. */
	private final WebhookStore store = (WebhookStore) Proxy.newProxyInstance(getClass().getClassLoader(),
			new Class<?>[] { WebhookStore.class },
			(proxy, method, arguments) -> method.getName().equals("find") ? Optional.ofNullable(this.known) : null);

	private @Nullable Subscription known;

	private final List<String> told = new ArrayList<>();

	private Map<String, String> headers = Map.of();

	private byte[] body = {};

	private int status = 200;

	private final WebhookSender sender = (url, sent, content, timeout) -> reply(url, sent, content);

	private final WebhookDelivery delivery = delivery(WebhookOptions.DEFAULT);

	private WebhookDelivery delivery(WebhookOptions options) {
		return new WebhookDelivery(this.store, this.sender, this.secrets, options,
				(type, outcome, duration) -> this.told.add(type + " " + outcome), Clock.fixed(NOW, ZoneOffset.UTC));
	}

	private WebhookReply reply(URI url, Map<String, String> sent, byte[] content) {
		this.headers = sent;
		this.body = content;
		if (this.status == 0) {
			throw new WebhookFailedException("webhook.timeout", "The receiver did not answer.", true, null);
		}
		return new WebhookReply(this.status, "", Duration.ofMillis(7));
	}

	private Webhook webhook(@Nullable String tenant, boolean active, @Nullable Instant previousUntil) {
		Webhook webhook = new Webhook("sub_1", tenant, "https://example.com/ojs", List.of("*"), WebhookFilter.NONE,
				Map.of(), active, previousUntil, NOW, NOW);
		this.known = new Subscription(webhook, this.secrets.seal("the-secret-of-now"),
				(previousUntil != null) ? this.secrets.seal("the-secret-before") : null);
		return webhook;
	}

	private static JobContext attempt(@Nullable String tenant, int attempt) {
		Job job = Job.builder(JOB, WebhookDelivery.TYPE, WebhookDelivery.QUEUE)
			.args(List.of(Map.of("type", "job.completed", "data", Map.of("n", new BigDecimal("1.10")))))
			.meta(WebhookDelivery.META_SUBSCRIPTION, "sub_1")
			.build();
		return new Attempt((tenant != null) ? job.toBuilder().meta("tenant_id", tenant).build() : job, attempt);
	}

	private Map<String, Object> deliver(JobContext context) throws Exception {
		return this.delivery.deliver("not looked at", context);
	}

	@Test
	void anEventIsPostedAndSigned() throws Exception {
		webhook(null, true, null);
		assertThat(deliver(attempt(null, 1))).isEqualTo(Map.of("status_code", 200, "response_time_ms", 7L));
		assertThat(new String(this.body, UTF_8)).contains("\"n\":1.10");
		assertThat(this.headers).containsEntry("Content-Type", "application/json")
			.containsEntry("User-Agent", "OJS-Webhook/1.0")
			.containsEntry("X-OJS-Event-Type", "job.completed")
			.containsEntry("X-OJS-Delivery-ID", "del_" + JOB)
			.containsEntry("X-OJS-Subscription-ID", "sub_1")
			.containsEntry("X-OJS-Timestamp", Long.toString(NOW.getEpochSecond()))
			.containsEntry("X-OJS-Signature", "sha256=" + hmac("the-secret-of-now"));
		assertThat(this.told).containsExactly("job.completed SUCCESS");
	}

	private String hmac(String secret) throws Exception {
		Mac mac = Mac.getInstance("HmacSHA256");
		mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
		return HexFormat.of()
			.formatHex(mac.doFinal((NOW.getEpochSecond() + "." + new String(this.body, UTF_8)).getBytes(UTF_8)));
	}

	@Test
	void theOldSecretSignsUntilItIsForgotten() throws Exception {
		webhook(null, true, NOW.plusMillis(1));
		deliver(attempt(null, 1));
		assertThat(this.headers).containsEntry("X-OJS-Signature",
				"sha256=%s,sha256=%s".formatted(hmac("the-secret-of-now"), hmac("the-secret-before")));
		webhook(null, true, NOW);
		deliver(attempt(null, 1));
		assertThat(this.headers).containsEntry("X-OJS-Signature", "sha256=" + hmac("the-secret-of-now"));
	}

	/** The key that it was encrypted with may have been taken away. */
	@Test
	void anOldSecretThatNobodyCanOpenIsLeftOut() throws Exception {
		webhook(null, true, NOW.plusMillis(1));
		JobEncryption other = new JobEncryption(
				new FixedKeys("k", List.of(EncryptionKey.of("k", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="))),
				EncryptedJobs.ALL, List.of());
		Subscription before = Objects.requireNonNull(this.known);
		this.known = new Subscription(before.webhook(), before.secret(),
				new WebhookSecrets(other).seal("the-secret-before"));
		deliver(attempt(null, 1));
		assertThat(this.headers).containsEntry("X-OJS-Signature", "sha256=" + hmac("the-secret-of-now"));
	}

	@ParameterizedTest
	@CsvSource({ "0,RETRY", "500,RETRY", "503,RETRY", "429,RETRY", "400,DEAD_LETTER", "404,DEAD_LETTER",
			"410,DEAD_LETTER", "301,DEAD_LETTER", "307,DEAD_LETTER" })
	void whatIsNotTakenIsTriedAgainIfThatMayHelp(int answer, FailureResponse response) {
		webhook(null, true, null);
		this.status = answer;
		assertThatExceptionOfType(JobFailedException.class).isThrownBy(() -> deliver(attempt(null, 1)))
			.satisfies((failed) -> {
				assertThat(failed.response()).isEqualTo(response);
				assertThat(failed.type()).isEqualTo((answer == 0) ? "webhook.timeout" : "webhook.status_" + answer);
			});
		assertThat(this.told)
			.containsExactly("job.completed " + ((response == FailureResponse.RETRY) ? "FAILED" : "DEAD"));
	}

	@Test
	void theLastAttemptIsNotTriedAgain() {
		webhook(null, true, null);
		this.status = 500;
		assertThatExceptionOfType(JobFailedException.class).isThrownBy(() -> deliver(attempt(null, 8)));
		assertThat(this.told).containsExactly("job.completed DEAD");
	}

	@Test
	void whatNobodyWantsAnyMoreIsDropped() throws Exception {
		assertThat(deliver(attempt(null, 1)).get("dropped")).asString().contains("deleted");
		webhook(null, false, null);
		assertThat(deliver(attempt(null, 1)).get("dropped")).asString().contains("not active");
		webhook("acme", true, null);
		for (String tenant : new String[] { null, "rival" }) {
			assertThat(deliver(attempt(tenant, 1)).get("dropped")).asString().contains("another tenant");
		}
		webhook(null, true, null);
		assertThat(deliver(attempt("acme", 1)).get("dropped")).asString().contains("another tenant");
		assertThat(this.headers).isEmpty();
		webhook("acme", true, null);
		assertThat(deliver(attempt("acme", 1))).containsKey("status_code");
	}

	@Test
	void whatIsNotAllowedAnyMoreIsNotPosted() {
		webhook(null, true, null);
		this.known = StoreWebhooks.changed(Objects.requireNonNull(this.known),
				WebhookSettings.of("http://example.com/", "*"), NOW);
		assertThatExceptionOfType(JobFailedException.class).isThrownBy(() -> deliver(attempt(null, 1)))
			.satisfies((failed) -> assertThat(failed.response()).isEqualTo(FailureResponse.DEAD_LETTER));
		assertThat(this.headers).isEmpty();
	}

	@Test
	void onlySomeAreTriedAtATime() throws Exception {
		CountDownLatch answering = new CountDownLatch(1);
		CountDownLatch asked = new CountDownLatch(WebhookTrial.AT_ONCE);
		WebhookTrial trial = new WebhookTrial(this.store, (url, sent, content, timeout) -> {
			assertThat(timeout).isEqualTo(Duration.ofSeconds(10));
			asked.countDown();
			answering.await();
			return new WebhookReply(500, "no", Duration.ofMillis(3));
		}, this.secrets, WebhookOptions.DEFAULT, Clock.systemUTC());
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < WebhookTrial.AT_ONCE; i++) {
			Webhook each = webhook("owner-" + i, false, null);
			threads.add(new Thread(() -> trial.run(each)));
			threads.get(i).start();
		}
		assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
		Webhook webhook = webhook(null, false, null);
		assertThat(trial.run(webhook)).isEmpty();
		answering.countDown();
		for (Thread thread : threads) {
			thread.join();
		}
		assertThat(trial.run(webhook)).get()
			.extracting(WebhookTrial.Result::success, WebhookTrial.Result::status, WebhookTrial.Result::body)
			.containsExactly(false, 500, "no");
	}

	@Test
	void anOwnerTriesOneAtATime() throws Exception {
		CountDownLatch answering = new CountDownLatch(1);
		CountDownLatch asked = new CountDownLatch(1);
		WebhookTrial trial = new WebhookTrial(this.store, (url, sent, content, timeout) -> {
			if (asked.getCount() > 0) {
				asked.countDown();
				answering.await();
			}
			return new WebhookReply(200, "", Duration.ofMillis(3));
		}, this.secrets, WebhookOptions.DEFAULT, Clock.systemUTC());
		Webhook own = webhook("acme", true, null);
		Thread thread = new Thread(() -> trial.run(own));
		thread.start();
		assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(trial.run(own)).isEmpty();
		assertThat(trial.run(webhook("rival", true, null))).isPresent();
		assertThat(trial.run(webhook(null, true, null))).isPresent();
		answering.countDown();
		thread.join();
		assertThat(trial.run(own)).isPresent();
	}

	private record Attempt(Job job, int attempt) implements JobContext {

		@Override
		public int maxAttempts() {
			return 8;
		}

		@Override
		public boolean isCancelled() {
			return false;
		}

		@Override
		public void heartbeat() {
			// Nobody waits for it.
		}

		@Override
		public void progress(double progress, String message) {
			// Nobody waits for it.
		}

		@Override
		public Map<String, Object> attributes() {
			return Map.of();
		}

	}

}
