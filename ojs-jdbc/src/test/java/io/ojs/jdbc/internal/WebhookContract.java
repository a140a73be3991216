package io.ojs.jdbc.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import io.ojs.crypto.EncryptionKey;
import io.ojs.crypto.internal.EncryptedJobs;
import io.ojs.crypto.internal.FixedKeys;
import io.ojs.crypto.internal.JobEncryption;
import io.ojs.jdbc.internal.webhook.JdbcWebhookStore;
import io.ojs.webhook.InvalidWebhookException;
import io.ojs.webhook.TooManyWebhooksException;
import io.ojs.webhook.Webhook;
import io.ojs.webhook.WebhookFilter;
import io.ojs.webhook.WebhookNotFoundException;
import io.ojs.webhook.WebhookSettings;
import io.ojs.webhook.Webhooks;
import io.ojs.webhook.internal.Subscription;
import io.ojs.webhook.internal.WebhookOptions;
import io.ojs.webhook.internal.WebhookStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What becomes of subscriptions.
 */
abstract class WebhookContract extends WebhooksOnStore {

	private static final JobEncryption ENCRYPTION = new JobEncryption(
			new FixedKeys("k", List.of(EncryptionKey.of("k", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="))),
			new EncryptedJobs(List.of("other.type"), List.of()), List.of());

	private Subscription subscription(Webhook webhook) {
		return this.store.find(webhook.id()).orElseThrow();
	}

	@Test
	void aSubscriptionIsReadAsItWasMade() {
		WebhookSettings settings = WebhookSettings.of(URL + "?a=b", "job.completed", "queue.*", "*")
			.filter(WebhookFilter.NONE.queues("mail", "print").jobTypes("email.send"))
			.metadata(Map.of("owner", "ä€😀", "n", List.of(1, true)))
			.active(false);
		Webhooks.Secret made = this.webhooks.create("acme", settings, "a-secret-of-mine");
		Webhook webhook = made.webhook();
		assertThat(made.secret()).isEqualTo("a-secret-of-mine");
		assertThat(webhook.id()).matches("sub_[0-9a-f-]{36}");
		assertThat(WebhookSettings.of(webhook)).isEqualTo(settings);
		assertThat(webhook.tenant()).isEqualTo("acme");
		assertThat(webhook.createdAt()).isEqualTo(TestStores.NOW);
		assertThat(this.webhooks.find(webhook.id())).contains(webhook);
		assertThat(subscription(webhook).toString()).doesNotContain("a-secret-of-mine");
		assertThat(made.toString()).doesNotContain("a-secret-of-mine");
		assertThat(this.store.active()).isEmpty();
		for (String none : List.of("sub_1", "x", webhook.id().substring(4), webhook.id().toUpperCase(), "sub_")) {
			assertThat(this.webhooks.find(none)).as(none).isEmpty();
		}
	}

	@Test
	void subscriptionsAreListedByTheirOwners() {
		Webhook own = subscribe("acme", "*");
		Webhook others = subscribe("rival", "*");
		Webhook nobodys = subscribe(null, "*");
		assertThat(this.webhooks.list("acme", 0, 10)).containsExactly(own);
		assertThat(this.webhooks.list(null, 0, 10)).containsExactly(own, others, nobodys);
		assertThat(this.webhooks.list(null, 1, 1)).containsExactly(others);
		assertThat(this.webhooks.count("acme")).isEqualTo(1);
		assertThat(this.webhooks.count(null)).isEqualTo(3);
		this.webhooks.delete(others.id());
		assertThat(this.webhooks.list(null, 0, 10)).containsExactly(own, nobodys);
		assertThatExceptionOfType(WebhookNotFoundException.class).isThrownBy(() -> this.webhooks.delete(others.id()))
			.withMessageContaining(others.id());
		assertThatExceptionOfType(WebhookNotFoundException.class)
			.isThrownBy(() -> this.webhooks.change(others.id(), (settings) -> settings));
	}

	@Test
	void aSubscriptionIsChanged() {
		Webhook webhook = subscribe("acme", "*");
		String secret = subscription(webhook).secret();
		Webhook changed = this.webhooks.change(webhook.id(),
				(before) -> before.active(false).filter(WebhookFilter.NONE.queues("mail")));
		assertThat(changed.active()).isFalse();
		assertThat(subscription(changed).secret()).isEqualTo(secret);
		assertThat(this.webhooks.find(webhook.id())).contains(changed);
		assertThatExceptionOfType(InvalidWebhookException.class)
			.isThrownBy(() -> this.webhooks.change(webhook.id(), (before) -> WebhookSettings.of("ftp://x", "*")));
		assertThat(this.webhooks.find(webhook.id())).contains(changed);
	}

	@Test
	void aSecretIsRotated() {
		Webhooks.Secret first = this.webhooks.create(null, WebhookSettings.of(URL, "*"), null);
		assertThat(first.secret()).matches("whsec_[A-Za-z0-9_-]{43}");
		assertThat(this.webhooks.create(null, WebhookSettings.of(URL, "*"), null).secret())
			.isNotEqualTo(first.secret());
		String before = subscription(first.webhook()).secret();
		assertThat(before).isEqualTo("plain:" + first.secret());
		Webhooks.Secret second = this.webhooks.rotate(first.webhook().id(), null);
		assertThat(second.secret()).isNotEqualTo(first.secret());
		assertThat(subscription(second.webhook()).secret()).isEqualTo("plain:" + second.secret());
		assertThat(subscription(second.webhook()).previousSecret()).isEqualTo(before);
		assertThat(second.webhook().previousSecretUntil()).isEqualTo(TestStores.NOW.plus(Duration.ofHours(24)));
		assertThat(this.webhooks.find(first.webhook().id())).contains(second.webhook());
		assertThat(this.webhooks.rotate(first.webhook().id(), "another-secret-of-mine").secret())
			.isEqualTo("another-secret-of-mine");
		assertThat(subscription(first.webhook()).secret()).isEqualTo("plain:another-secret-of-mine");
		assertThat(subscription(first.webhook()).previousSecret()).isEqualTo("plain:" + second.secret());
	}

	@Test
	void whereThereAreKeysNobodyReadsASecretInTheDatabase() {
		Webhooks encrypting = webhooks(ENCRYPTION);
		encrypting.create(null, WebhookSettings.of(URL, "*"), "a-secret-of-mine");
		assertThat(this.stores.jdbc().queryForObject("select secret from ojs_webhook", String.class))
			.contains("\"key_id\":\"k\"")
			.doesNotContain("a-secret-of-mine");
	}

	@Test
	void thereAreNoMoreThanSomeOfATenant() {
		Webhook first = subscribe("acme", "*");
		this.stores.users().executeWithoutResult((status) -> {
			for (int i = 1; i < WebhookOptions.DEFAULT_MAX_SUBSCRIPTIONS; i++) {
				subscribe("acme", "*");
			}
		});
		assertThatExceptionOfType(TooManyWebhooksException.class).isThrownBy(() -> subscribe("acme", "*"))
			.withMessageContaining("'acme' has 50");
		subscribe("rival", "*");
		for (int i = 0; i <= WebhookOptions.DEFAULT_MAX_SUBSCRIPTIONS; i++) {
			subscribe(null, "*");
		}
		this.webhooks.delete(first.id());
		subscribe("acme", "*");
	}

	/** They are asked for with each page of events. */
	@Test
	void thoseThatAreActiveAreReadAgainOnlyWhenTheyHaveChanged() {
		Webhook one = subscribe("acme", "*");
		Webhook read = this.store.active().get(0);
		assertThat(read).isEqualTo(one);
		assertThat(this.store.active().get(0)).isSameAs(read);
		WebhookStore another = new JdbcWebhookStore(this.stores.database);
		assertThat(another.active()).containsExactly(one);
		// The clock stands still.
		Webhook changed = this.webhooks.change(one.id(), (settings) -> WebhookSettings.of(URL, "job.*"));
		assertThat(changed.updatedAt()).isAfter(one.updatedAt());
		assertThat(this.store.active()).containsExactly(changed);
		assertThat(another.active()).containsExactly(changed);
		Webhook rotated = this.webhooks.rotate(one.id(), null).webhook();
		assertThat(another.active()).containsExactly(rotated);
		Webhook two = subscribe(null, "*");
		assertThat(another.active()).containsExactly(rotated, two);
		this.webhooks.change(two.id(), (settings) -> settings.active(false));
		assertThat(another.active()).containsExactly(rotated);
		this.webhooks.delete(one.id());
		assertThat(another.active()).isEmpty();
	}

	@Test
	void thereAreNoMoreThanAThousandWhoeverMakesThemAtOnce() throws Exception {
		this.stores.users().executeWithoutResult((status) -> {
			for (int i = 1; i < Webhooks.MAX_SUBSCRIPTIONS; i++) {
				subscribe(null, "*");
			}
		});
		List<Throwable> refused = Collections.synchronizedList(new ArrayList<>());
		Threads.together(4, (thread) -> {
			try {
				subscribe(null, "*");
			}
			catch (TooManyWebhooksException ex) {
				refused.add(ex);
			}
		});
		assertThat(refused).hasSize(3);
		assertThat(this.webhooks.count(null)).isEqualTo(Webhooks.MAX_SUBSCRIPTIONS);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "example.com", "http://example.com/", "ftp://example.com/", "https:///x",
			"https://user@example.com/", "https://example.com/#x", "https://example.com:99999/", "https://exa mple/",
			"https://bücher.example/", "https://localhost/", "https://a.localhost/", "https://127.0.0.1/",
			"https://10.1.2.3/", "https://2130706433/", "https://169.254.169.254/latest", "https://[::1]/",
			"https://[fd00:ec2::254]/", "https://[::ffff:10.0.0.1]/", "https://168.63.129.16/" })
	void whereNothingMayBePostedNobodySubscribes(String url) {
		assertThatExceptionOfType(InvalidWebhookException.class)
			.isThrownBy(() -> this.webhooks.create(null, WebhookSettings.of(url, "*"), null))
			.withMessageContaining("'url'");
	}

	@ParameterizedTest
	@CsvSource({ "Job.completed", "job.", "*.completed", "job.**", "''", "job completed" })
	void whatIsNoTypeOfAnEventIsRefused(String type) {
		assertThatExceptionOfType(InvalidWebhookException.class).isThrownBy(() -> subscribe(null, type))
			.withMessageContaining("'events'");
	}

	@Test
	void whatIsTooMuchIsRefused() {
		assertThatExceptionOfType(InvalidWebhookException.class)
			.isThrownBy(() -> this.webhooks.create(null, WebhookSettings.of(URL + "/".repeat(2048), "*"), null))
			.withMessageContaining("'url'");
		assertThatExceptionOfType(InvalidWebhookException.class).isThrownBy(() -> subscribe(null))
			.withMessageContaining("'events'");
		assertThatExceptionOfType(InvalidWebhookException.class)
			.isThrownBy(() -> subscribe(null, Collections.nCopies(101, "*").toArray(String[]::new)))
			.withMessageContaining("'events'");
		WebhookSettings settings = WebhookSettings.of(URL, "*");
		assertThatExceptionOfType(InvalidWebhookException.class)
			.isThrownBy(() -> this.webhooks.create(null, settings.filter(WebhookFilter.NONE.queues("No Queue")), null))
			.withMessageContaining("'filter.queues'");
		assertThatExceptionOfType(InvalidWebhookException.class)
			.isThrownBy(() -> this.webhooks.create(null, settings.metadata(Map.of("k", "v".repeat(5000))), null))
			.withMessageContaining("'metadata'");
		for (String secret : List.of("short", "s".repeat(256), "with a space in it", "ümlauts-are-none-of-these")) {
			assertThatExceptionOfType(InvalidWebhookException.class)
				.isThrownBy(() -> this.webhooks.create(null, settings, secret))
				.withMessageContaining("'secret'")
				.withMessageNotContaining(secret);
		}
		assertThat(this.webhooks.count(null)).isZero();
	}

}
