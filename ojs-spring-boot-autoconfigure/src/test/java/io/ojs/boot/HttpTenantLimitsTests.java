package io.ojs.boot;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

import io.ojs.boot.HttpApi.Answer;
import io.ojs.boot.worker.OjsFetchAutoConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Limits of tenants over HTTP.
 */
class HttpTenantLimitsTests {

	private static final String JOB = "{\"type\":\"a.b\",\"args\":[],\"options\":{\"queue\":\"shared\"}}";

	private static final String SCHEDULED = "{\"type\":\"a.b\",\"args\":[],\"options\":{\"queue\":\"shared\","
			+ "\"delay_until\":\"+PT1H\"}}";

	private static void open(Consumer<HttpApi> test, String... properties) {
		HttpApi.RUNNER.withConfiguration(AutoConfigurations.of(OjsFetchAutoConfiguration.class))
			.withPropertyValues("ojs.http.allow-anonymous=true", "ojs.tenancy.enabled=true")
			.withPropertyValues(properties)
			.run((context) -> {
				if (context.getStartupFailure() != null) {
					throw new AssertionError(context.getStartupFailure());
				}
				test.accept(HttpApi.of(context.getSourceApplicationContext()));
			});
	}

	private static Answer send(HttpApi api, String tenant, String method, String path, @Nullable String body) {
		Map<String, String> headers = new LinkedHashMap<>(Map.of("X-OJS-Tenant", tenant));
		if (body != null) {
			headers.put("Content-Type", "application/json");
		}
		return api.send(method, "/ojs/v1" + path, body, headers);
	}

	private static Answer enqueue(HttpApi api, String tenant, String body) {
		return send(api, tenant, "POST", "/jobs", body);
	}

	@Test
	void whoeverIsRefusedIsToldWhyAndWhenToComeAgain() {
		open((api) -> {
			assertThat(enqueue(api, "acme", JOB).status()).isEqualTo(201);
			Answer refused = enqueue(api, "acme", JOB);
			assertThat(refused.status()).isEqualTo(429);
			assertThat(refused.text("error.code")).isEqualTo("TENANT_LIMIT_EXCEEDED");
			assertThat(refused.at("error.retryable")).isEqualTo(true);
			assertThat(refused.at("error.details.tenant_id")).isEqualTo("acme");
			assertThat(refused.at("error.details.limit")).isEqualTo("max_enqueue_rate");
			assertThat(refused.at("error.details.current")).isEqualTo(1);
			assertThat(refused.at("error.details.maximum")).isEqualTo(1);
			assertThat(Integer.parseInt(String.valueOf(refused.header("Retry-After")))).isBetween(3000, 3600);
			assertThat(enqueue(api, "beta", JOB).status()).isEqualTo(201);
		}, "ojs.tenancy.limits.max-enqueue-rate.limit=1", "ojs.tenancy.limits.max-enqueue-rate.period=1h");
	}

	@Test
	void whatCannotFitIsNotToBeTriedAgain() {
		open((api) -> {
			String batch = "{\"jobs\":[%s]}".formatted(String.join(",", Collections.nCopies(3, JOB)));
			Answer refused = send(api, "acme", "POST", "/jobs/batch", batch);
			assertThat(refused.status()).as(refused.body()).isEqualTo(429);
			assertThat(refused.at("error.retryable")).isEqualTo(false);
			assertThat(refused.header("Retry-After")).isNull();
			assertThat(send(api, "acme", "GET", "/admin/tenants/acme/stats", null).at("total_jobs")).isEqualTo(0);
		}, "ojs.tenancy.limits.max-queue-depth=2");
	}

	@Test
	void aTenantSeesItsLimitsAndWhatItHas() {
		open((api) -> {
			enqueue(api, "acme", JOB);
			enqueue(api, "acme", JOB);
			enqueue(api, "acme", SCHEDULED);
			enqueue(api, "beta", JOB);
			send(api, "acme", "POST", "/workers/fetch", "{\"queues\":[\"shared\"],\"worker_id\":\"w\"}");
			Answer stats = send(api, "acme", "GET", "/admin/tenants/acme/stats", null);
			assertThat(stats.at("limits")).isEqualTo(Map.of("max_concurrency", Map.of("limit", 20, "current", 1),
					"max_enqueue_rate", Map.of("limit", 100, "current", 3, "period", "PT1H"), "max_queue_depth",
					Map.of("limit", 50, "current", 2), "max_scheduled", Map.of("limit", 10, "current", 1)));
			assertThat(api.get("/ojs/v1/admin/tenants/acme/stats").at("limits")).isEqualTo(stats.at("limits"));
			assertThat(api.get("/ojs/v1/admin/tenants/beta/stats").at("limits"))
				.isEqualTo(Map.of("max_queue_depth", Map.of("limit", 50, "current", 1)));
		}, "ojs.tenancy.limits.max-queue-depth=50", "ojs.tenancy.tenants.acme.max-concurrency=20",
				"ojs.tenancy.tenants.acme.max-enqueue-rate.limit=100",
				"ojs.tenancy.tenants.acme.max-enqueue-rate.period=1h", "ojs.tenancy.tenants.acme.max-scheduled=10");
	}

	@Test
	void aTenantSeesInItsEventsThatItHasAllThatItMayHaveAndNobodyElseDoes() {
		open((api) -> {
			enqueue(api, "acme", JOB);
			String events = "/events?types=tenant.limit_exceeded";
			assertThat(send(api, "acme", "GET", events, null).body()).contains("tenant.limit_exceeded",
					"max_queue_depth");
			assertThat(send(api, "beta", "GET", events, null).body()).doesNotContain("acme", "max_queue_depth");
		}, "ojs.tenancy.limits.max-queue-depth=1");
	}

	@Test
	void aWorkflowThatHasBegunGoesOnAndOneThatHasNotIsRefused() {
		open((api) -> {
			String chain = "{\"type\":\"chain\",\"steps\":[%s,%s]}".formatted(JOB, JOB);
			assertThat(send(api, "acme", "POST", "/workflows", chain).status()).isEqualTo(201);
			assertThat(send(api, "acme", "POST", "/workflows", chain).status()).isEqualTo(429);
			Answer fetched = send(api, "acme", "POST", "/workers/fetch",
					"{\"queues\":[\"shared\"],\"worker_id\":\"w\"}");
			String first = fetched.text("jobs[0].id");
			assertThat(enqueue(api, "acme", JOB).status()).isEqualTo(201);
			assertThat(enqueue(api, "acme", JOB).status()).isEqualTo(429);
			send(api, "acme", "POST", "/workers/ack", "{\"job_id\":\"%s\",\"worker_id\":\"w\"}".formatted(first));
			await().until(() -> Integer.valueOf(2)
				.equals(send(api, "acme", "GET", "/admin/tenants/acme/stats", null).at("jobs.available")));
		}, "ojs.tenancy.limits.max-queue-depth=1");
	}

}
