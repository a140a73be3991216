package io.ojs.web.internal.webhook;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

import io.ojs.crypto.internal.JobEncryption;
import io.ojs.store.internal.StoreTransactions;
import io.ojs.web.TenantAccess;
import io.ojs.web.internal.Doubles;
import io.ojs.web.internal.HttpRequests;
import io.ojs.webhook.Webhook;
import io.ojs.webhook.WebhookFilter;
import io.ojs.webhook.internal.StoreWebhooks;
import io.ojs.webhook.internal.Subscription;
import io.ojs.webhook.internal.WebhookOptions;
import io.ojs.webhook.internal.WebhookSecrets;
import io.ojs.webhook.internal.WebhookStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Access to subscriptions by tenant, partial changes, and when the secret is shown.
 */
class WebhookEndpointsTests {

	private static final String PATH = "/ojs/v1/webhooks/subscriptions";

	private static final Instant NOW = HttpRequests.CLOCK.instant();

	private static final Webhook BEFORE = new Webhook("sub_1", "acme", "https://example.com/a", List.of("job.*"),
			WebhookFilter.NONE.queues("mail"), Map.of("team", "a"), true, null, NOW.minus(Duration.ofDays(1)),
			NOW.minus(Duration.ofDays(1)));

	private static final Subscription SECRET = new Subscription(BEFORE, "plain:hunter2hunter2hunter2", null);

	private final Map<String, Subscription> stored = new TreeMap<>(Map.of("sub_1", SECRET));

	private final WebhookStore store = Doubles.of(WebhookStore.class, (method, arguments) -> switch (method) {
		case "find", "lock" -> Optional.ofNullable(this.stored.get((String) arguments[0]));
		case "delete" -> this.stored.remove((String) arguments[0]) != null;
		case "countToInsert" -> 0L;
		case "insert", "update" -> {
			Subscription subscription = (Subscription) arguments[0];
			yield this.stored.put(subscription.webhook().id(), subscription);
		}
		default -> throw new AssertionError(method);
	});

	private final StoreTransactions transactions = Doubles.of(StoreTransactions.class,
			(method, arguments) -> ((Supplier<?>) arguments[0]).get());

	private final HttpRequests requests = HttpRequests
		.forTenants(new WebhookEndpoints(new StoreWebhooks(this.store, this.transactions,
				new WebhookSecrets(JobEncryption.OFF), WebhookOptions.DEFAULT, HttpRequests.CLOCK), null));

	@ParameterizedTest
	@CsvSource({ "GET, ''", "PATCH, ''", "DELETE, ''", "POST, /test", "POST, /rotate-secret" })
	void subscriptionOfAnotherTenantIsNotFound(String method, String action) {
		assertThat(send(method, PATH + "/sub_1" + action, "{}", "other").getStatus()).isEqualTo(404);
		assertThat(this.stored).isEqualTo(Map.of("sub_1", SECRET));
	}

	@Test
	void operatorAndOwnerSeeIt() {
		assertThat(send("GET", PATH + "/sub_1", null, "acme").getStatus()).isEqualTo(200);
		assertThat(this.requests.get(PATH + "/sub_1", Map.of()).getStatus()).isEqualTo(200);
		assertThat(send("DELETE", PATH + "/sub_1", "", "acme").getStatus()).isEqualTo(204);
		assertThat(this.stored).isEmpty();
	}

	@Test
	void secretIsShownOnlyWhenItIsMade() {
		MockHttpServletResponse created = send("POST", PATH,
				"{\"url\":\"https://example.com/b\",\"events\":[\"job.completed\"]}", "acme");
		assertThat(created.getStatus()).isEqualTo(201);
		assertThat(subscription(created).get("secret")).asString().startsWith("whsec_");
		assertThat(created.getHeader("Location")).isEqualTo(PATH + "/" + subscription(created).get("id"));
		assertThat(subscription(send("POST", PATH + "/sub_1/rotate-secret", "", "acme")).get("secret")).asString()
			.startsWith("whsec_");
		for (MockHttpServletResponse response : List.of(send("GET", PATH + "/sub_1", null, "acme"),
				send("PATCH", PATH + "/sub_1", "{\"active\":false}", "acme"))) {
			assertThat(subscription(response).containsKey("secret")).isFalse();
			assertThat(HttpRequests.text(response)).doesNotContain("hunter2", "whsec_");
		}
	}

	/** After a rotation both secrets are valid for a time. */
	@Test
	void secretIsChangedOnlyByRotation() {
		MockHttpServletResponse response = send("PATCH", PATH + "/sub_1", "{\"secret\":\"hunter3hunter3hunter3\"}",
				"acme");
		assertThat(response.getStatus()).isEqualTo(400);
		assertThat(HttpRequests.details(response).get("field")).isEqualTo("secret");
		assertThat(HttpRequests.text(response)).contains("rotate-secret").doesNotContain("hunter3");
		assertThat(this.stored).isEqualTo(Map.of("sub_1", SECRET));
		assertThat(subscription(send("POST", PATH + "/sub_1/rotate-secret", "", "acme")).get("previous_secret_until"))
			.isEqualTo("2026-03-16T09:30:00.000Z");
		assertThat(this.stored).hasEntrySatisfying("sub_1",
				(rotated) -> assertThat(rotated.previousSecret()).isEqualTo(SECRET.secret()));
	}

	@Test
	void fieldsThatAreLeftOutStayUnchanged() {
		assertThat(send("PATCH", PATH + "/sub_1", "{\"active\":false}", "acme").getStatus()).isEqualTo(200);
		assertThat(stored("sub_1").active()).isFalse();
		assertThat(stored("sub_1").url()).isEqualTo(BEFORE.url());
		assertThat(stored("sub_1").events()).isEqualTo(BEFORE.events());
		assertThat(stored("sub_1").filter()).isEqualTo(BEFORE.filter());
		assertThat(stored("sub_1").metadata()).isEqualTo(BEFORE.metadata());
		send("PATCH", PATH + "/sub_1", "{\"filter\":null,\"metadata\":null,\"url\":\"https://example.com/c\"}", "acme");
		assertThat(stored("sub_1").filter()).isEqualTo(WebhookFilter.NONE);
		assertThat(stored("sub_1").metadata()).isEmpty();
		assertThat(stored("sub_1").url()).isEqualTo("https://example.com/c");
		assertThat(stored("sub_1").active()).isFalse();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			{"events":["job.*"]}                                                 | url
			{"url":"https://example.com"}                                        | events
			{"url":"http://example.com","events":["job.*"]}                      | url
			{"url":"https://127.0.0.1","events":["job.*"]}                       | url
			{"url":"https://example.com","events":["job.*"],"filter":{"x":[]}}   | filter.x
			{"url":"https://example.com","events":["job.*"],"tenant_id":"other"} | tenant_id
			{"url":"https://example.com","events":["job.*"],"secret":"short"}    | secret
			""")
	void invalidFieldIsNamed(String body, String field) {
		MockHttpServletResponse response = send("POST", PATH, body, "acme");
		assertThat(response.getStatus()).isEqualTo(400);
		assertThat(HttpRequests.details(response).get("field")).isEqualTo(field);
		assertThat(this.stored).isEqualTo(Map.of("sub_1", SECRET));
	}

	private MockHttpServletResponse send(String method, String path, @Nullable String body, String tenant) {
		return this.requests.send(method, path, body,
				Map.of(TenantAccess.HEADER, tenant, "Content-Type", HttpRequests.JSON));
	}

	private Webhook stored(String id) {
		return Objects.requireNonNull(this.stored.get(id)).webhook();
	}

	private static Map<?, ?> subscription(MockHttpServletResponse response) {
		return (Map<?, ?>) Objects.requireNonNull(HttpRequests.body(response).get("subscription"));
	}

}
