package io.ojs.boot;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.ojs.boot.HttpApi.Answer;
import io.ojs.boot.internal.actuate.DeadLetterReplayOperation;
import io.ojs.boot.worker.OjsFetchAutoConfiguration;
import io.ojs.deadletter.DeadLetters;
import io.ojs.tenant.TenantResolver;
import io.ojs.web.AccessControl;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Dead letters say what went wrong with whose arguments: each tenant has its own, and no
 * others (OJS Extension Interactions §8).
 */
class DeadLetterTenancyTests {

	private static final String ACME = "acme";

	private static final String RIVAL = "rival";

	private static void run(WebApplicationContextRunner runner, Consumer<HttpApi> test) {
		runner.withConfiguration(AutoConfigurations.of(OjsFetchAutoConfiguration.class))
			.withPropertyValues("ojs.tenancy.enabled=true")
			.run((context) -> {
				if (context.getStartupFailure() != null) {
					throw new AssertionError(context.getStartupFailure());
				}
				test.accept(HttpApi.of(context.getSourceApplicationContext()));
			});
	}

	private static void open(Consumer<HttpApi> test) {
		run(HttpApi.RUNNER.withPropertyValues("ojs.http.allow-anonymous=true"), test);
	}

	private static Answer send(HttpApi api, @Nullable String tenant, String method, String path,
			@Nullable String body) {
		Map<String, String> headers = new LinkedHashMap<>();
		if (body != null) {
			headers.put("Content-Type", "application/json");
		}
		if (tenant != null) {
			headers.put("X-OJS-Tenant", tenant);
		}
		return api.send(method, "/ojs/v1" + path, body, headers);
	}

	/** Has a job of the tenant fail for good, in the queue that its argument names. */
	private static String dead(HttpApi api, @Nullable String tenant, String argument) {
		String id = send(api, tenant, "POST", "/jobs",
				"{\"type\":\"a.b\",\"args\":[\"%1$s\"],\"options\":{\"queue\":\"%1$s\",\"retry\":{\"max_attempts\":1}}}"
					.formatted(argument))
			.text("job.id");
		send(api, tenant, "POST", "/workers/fetch", "{\"queues\":[\"%s\"],\"worker_id\":\"w\"}".formatted(argument));
		Answer failed = send(api, tenant, "POST", "/workers/nack",
				"{\"job_id\":\"%s\",\"worker_id\":\"w\",\"error\":{\"message\":\"about %s\"}}".formatted(id, argument));
		assertThat(failed.text("state")).isEqualTo("discarded");
		return id;
	}

	@ParameterizedTest
	@ValueSource(strings = { "/dead-letter", "/admin/dead-letter" })
	@Tag("EI-004")
	@Tag("EI-005")
	void eachTenantHasItsOwnAndNoOthers(String path) {
		open((api) -> {
			String acmes = dead(api, ACME, "walnut");
			String rivals = dead(api, RIVAL, "almond");
			assertThat(send(api, ACME, "GET", path, null).body()).contains(acmes, "walnut")
				.doesNotContain(rivals, "almond");
			assertThat(send(api, ACME, "GET", path + "/stats", null).at("total")).isEqualTo(1);
			for (Answer answer : List.of(send(api, ACME, "GET", path + "/" + rivals, null),
					send(api, ACME, "POST", path + "/" + rivals + "/retry", "{}"),
					send(api, ACME, "DELETE", path + "/" + rivals, null))) {
				assertThat(answer.status()).isEqualTo(404);
				assertThat(answer.body()).doesNotContain("almond");
			}
			String both = "{\"filter\":{\"ids\":[\"%s\",\"%s\"]},\"confirm\":true}".formatted(acmes, rivals);
			assertThat(send(api, ACME, "POST", path + "/retry", both).status()).isEqualTo(200);
			assertThat(send(api, ACME, "GET", path + "/stats", null).at("total")).isEqualTo(0);
			String again = dead(api, ACME, "hazel");
			assertThat(send(api, ACME, "DELETE", path, "{\"filter\":{},\"confirm\":true}").status()).isEqualTo(200);
			assertThat(send(api, ACME, "GET", path + "/" + again, null).status()).isEqualTo(404);
			assertThat(send(api, RIVAL, "GET", path + "/" + rivals, null).status()).isEqualTo(200);
			assertThat(send(api, RIVAL, "GET", path + "/stats", null).at("total")).isEqualTo(1);
			// An operator sees all of them.
			dead(api, ACME, "pecan");
			assertThat(send(api, null, "GET", path + "/stats", null).at("total")).isEqualTo(2);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "/dead-letter", "/admin/dead-letter" })
	@Tag("EI-005")
	void whoeverWorksForATenantGetsToNoOther(String path) {
		AtomicReference<String> caller = new AtomicReference<>(RIVAL);
		run(HttpApi.RUNNER.withClassLoader(new FilteredClassLoader("org.springframework.security"))
			.withBean(AccessControl.class, () -> AccessControl.ANYBODY)
			.withBean(TenantResolver.class, () -> () -> Optional.of(caller.get())), (api) -> {
				String rivals = dead(api, null, "almond");
				caller.set(ACME);
				assertThat(send(api, RIVAL, "GET", path, null).status()).isEqualTo(403);
				assertThat(send(api, RIVAL, "POST", path + "/" + rivals + "/retry", "{}").status()).isEqualTo(403);
				assertThat(send(api, RIVAL, "DELETE", path, "{\"confirm\":true}").status()).isEqualTo(403);
				assertThat(send(api, null, "GET", path, null).body()).doesNotContain(rivals, "almond");
				assertThat(send(api, null, "DELETE", path, "{\"filter\":{},\"confirm\":true}").status()).isEqualTo(200);
				caller.set(RIVAL);
				assertThat(send(api, null, "GET", path, null).body()).contains(rivals, "almond");
			});
	}

	@Test
	@Tag("EI-004")
	@Tag("EI-005")
	void managementEndpointReplaysTheDeadLettersOfOneTenant() {
		HttpApi.RUNNER.withConfiguration(AutoConfigurations.of(OjsFetchAutoConfiguration.class))
			.withPropertyValues("ojs.http.allow-anonymous=true", "ojs.tenancy.enabled=true")
			.run((context) -> {
				HttpApi api = HttpApi.of(context.getSourceApplicationContext());
				dead(api, ACME, "walnut");
				String rivals = dead(api, RIVAL, "walnut");
				DeadLetterReplayOperation replays = new DeadLetterReplayOperation((filter, options, listener) -> {
					throw new AssertionError("The broker has no part in this");
				}, context.getBean(DeadLetters.class));
				Map<String, Object> replayed = replays
					.replay(Map.of("queue", "walnut", "tenant", ACME, "dryRun", "false"))
					.body();
				assertThat(replayed).containsEntry("replayed", 1L).containsEntry("left", 0L);
				assertThat(send(api, RIVAL, "GET", "/dead-letter/" + rivals, null).status()).isEqualTo(200);
				assertThat(replays.replay(Map.of("queue", "walnut", "tenant", "a b")).status()).isEqualTo(400);
				assertThat(replays.replay(Map.of("queue", "walnut", "errorCode", "X"))).satisfies((answer) -> {
					assertThat(answer.status()).isEqualTo(400);
					assertThat(answer.body().get("error").toString()).contains("'errorCode'", "by their type");
				});
			});
	}

	@Test
	@Tag("EI-004")
	void eventsOfDeadLettersSayWhoseTheyAre() {
		open((api) -> {
			String acmes = dead(api, ACME, "walnut");
			dead(api, RIVAL, "almond");
			Answer all = send(api, null, "GET", "/events?types=job.dead_lettered", null);
			assertThat(all.at("events[0].subject")).isEqualTo(acmes);
			assertThat(all.at("events[0].data.tenant_id")).isEqualTo(ACME);
			assertThat(all.at("events[1].data.tenant_id")).isEqualTo(RIVAL);
			assertThat(send(api, RIVAL, "GET", "/events?types=job.dead_lettered", null).body()).doesNotContain(acmes);
		});
	}

}
