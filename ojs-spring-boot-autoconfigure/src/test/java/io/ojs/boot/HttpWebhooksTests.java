package io.ojs.boot;

import java.util.List;
import java.util.Map;

import io.ojs.boot.HttpApi.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Webhooks over HTTP.
 */
class HttpWebhooksTests {

	private static final String PATH = "/ojs/v1/webhooks/subscriptions";

	private static final String SUBSCRIPTION = """
			{"url":"https://example.com/ojs","events":["job.completed","queue.*"],"filter":{"queues":["mail"]},
			 "metadata":{"owner":"me"},"secret":"a-secret-of-mine"}""";

	private static final String ENABLED = "ojs.webhooks.enabled=true";

	private static Answer patch(HttpApi api, String path, String body) {
		return api.send("PATCH", path, body, Map.of("Content-Type", "application/json"));
	}

	@Test
	void aSubscriptionIsMadeLookedAtChangedAndRemoved() {
		HttpApi.open((api) -> {
			Answer made = api.post(PATH, SUBSCRIPTION);
			assertThat(made.status()).isEqualTo(201);
			assertThat(made.at("subscription.secret")).isEqualTo("a-secret-of-mine");
			assertThat(made.at("subscription.active")).isEqualTo(true);
			assertThat(made.at("subscription.filter.queues")).isEqualTo(List.of("mail"));
			assertThat(made.at("subscription.metadata.owner")).isEqualTo("me");
			String one = PATH + "/" + made.text("subscription.id");
			assertThat(made.header("Location")).isEqualTo(one);
			Answer found = api.get(one);
			assertThat(found.status()).isEqualTo(200);
			assertThat(found.body()).doesNotContain("secret");
			Answer listed = api.get(PATH);
			assertThat(listed.at("subscriptions")).isEqualTo(List.of(found.at("subscription")));
			assertThat(listed.at("pagination.total")).isEqualTo(1);
			Answer changed = patch(api, one, "{\"events\":[\"*\"],\"active\":false}");
			assertThat(changed.status()).isEqualTo(200);
			assertThat(changed.at("subscription.events")).isEqualTo(List.of("*"));
			assertThat(changed.at("subscription.active")).isEqualTo(false);
			assertThat(changed.at("subscription.filter.queues")).isEqualTo(List.of("mail"));
			assertThat(changed.at("subscription.url")).isEqualTo("https://example.com/ojs");
			assertThat(patch(api, one, "{\"filter\":null,\"metadata\":null}").at("subscription.filter")).isNull();
			assertThat(patch(api, one, "{\"secret\":\"another-secret-of-mine\"}").text("error.message"))
				.contains("rotate-secret")
				.doesNotContain("another-secret-of-mine");
			assertThat(api.delete(one).status()).isEqualTo(204);
			assertThat(api.get(one).status()).isEqualTo(404);
			assertThat(api.delete(one).at("error.details.resource_type")).isEqualTo("subscription");
		}, ENABLED);
	}

	@Test
	void aSecretIsShownOnceAndRotated() {
		HttpApi.open((api) -> {
			String one = PATH + "/"
					+ api.post(PATH, "{\"url\":\"https://example.com/\",\"events\":[\"*\"]}").text("subscription.id");
			Answer rotated = api.post(one + "/rotate-secret", "");
			assertThat(rotated.status()).isEqualTo(200);
			assertThat(rotated.text("subscription.secret")).startsWith("whsec_");
			assertThat(rotated.text("subscription.previous_secret_until")).endsWith("Z");
			assertThat(api.get(one).at("subscription.previous_secret_until"))
				.isEqualTo(rotated.at("subscription.previous_secret_until"));
			assertThat(api.get(one).at("subscription.secret")).isNull();
			assertThat(api.post(one + "/rotate-secret", "{\"secret\":\"short\"}").status()).isEqualTo(400);
		}, ENABLED);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			value = { "{}|url", "{\"url\":\"https://example.com/\"}|events",
					"{\"url\":\"http://example.com/\",\"events\":[\"*\"]}|url",
					"{\"url\":\"https://127.0.0.1/\",\"events\":[\"*\"]}|url",
					"{\"url\":\"https://example.com/\",\"events\":[]}|events",
					"{\"url\":\"https://example.com/\",\"events\":[7]}|events",
					"{\"url\":\"https://example.com/\",\"events\":[\"*\"],\"filter\":{\"queue\":\"a\"}}|filter.queue",
					"{\"url\":\"https://example.com/\",\"events\":[\"*\"],\"secret\":\"x\"}|secret",
					"{\"url\":\"https://example.com/\",\"events\":[\"*\"],\"tenant_id\":\"x\"}|tenant_id" })
	void whatIsNoSubscriptionIsRefused(String body, String field) {
		HttpApi.open((api) -> {
			Answer refused = api.post(PATH, body);
			assertThat(refused.status()).isEqualTo(400);
			assertThat(refused.at("error.details.field")).isEqualTo(field);
			assertThat(api.get(PATH).at("subscriptions")).isEqualTo(List.of());
		}, ENABLED);
	}

	@Test
	void aTestTellsWhatIsWrong() {
		HttpApi.open((api) -> {
			// Where nobody listens, by a name that needs nobody to know it.
			String one = PATH + "/"
					+ api.post(PATH, "{\"url\":\"http://localhost:1/\",\"events\":[\"*\"]}").text("subscription.id");
			Answer tried = api.post(one + "/test", "");
			assertThat(tried.status()).isEqualTo(200);
			assertThat(tried.at("success")).isEqualTo(false);
			assertThat(tried.at("status_code")).isNull();
			assertThat(tried.text("error")).isEqualTo("The receiver cannot be connected to.");
			assertThat(api.post(PATH + "/sub_1/test", "").status()).isEqualTo(404);
		}, ENABLED, "ojs.webhooks.allow-http=true", "ojs.webhooks.allow-private-addresses=true");
	}

	@Test
	void nobodyEnqueuesDeliveries() {
		HttpApi.open((api) -> {
			String job = "{\"type\":\"ojs.webhook.deliver\",\"args\":[{}]}";
			for (Answer refused : List.of(api.post("/ojs/v1/jobs", job),
					api.post("/ojs/v1/jobs/batch", "{\"jobs\":[%s]}".formatted(job)),
					api.post("/ojs/v1/workflows", "{\"type\":\"chain\",\"steps\":[%s]}".formatted(job)),
					api.post("/ojs/v1/cron",
							"{\"name\":\"a\",\"expression\":\"@daily\",\"job_template\":%s}".formatted(job)))) {
				assertThat(refused.status()).as(refused.body()).isEqualTo(400);
				assertThat(refused.text("error.details.field")).endsWith("type");
			}
			Answer limit = api.post("/ojs/v1/jobs",
					"{\"type\":\"a.b\",\"args\":[],\"rate_limit\":{\"key\":\"ojs.webhook:sub_1\",\"concurrency\":0}}");
			assertThat(limit.status()).as(limit.body()).isEqualTo(400);
			assertThat(limit.text("error.details.field")).isEqualTo("rate_limit.key");
			assertThat(api.get("/ojs/v1/webhooks/deliveries").at("deliveries")).isEqualTo(List.of());
			assertThat(api.get("/ojs/v1/webhooks/deliveries?status=lost").at("error.details.field"))
				.isEqualTo("status");
			assertThat(api.get("/ojs/v1/webhooks/deliveries/del_1").status()).isEqualTo(404);
		}, ENABLED);
	}

	@Test
	void thereIsNothingUnlessSomebodyWantsIt() {
		HttpApi.open((api) -> assertThat(api.get(PATH).status()).isEqualTo(404));
	}

}
