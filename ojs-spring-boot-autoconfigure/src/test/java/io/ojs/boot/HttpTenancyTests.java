package io.ojs.boot;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.ojs.boot.HttpApi.Answer;
import io.ojs.boot.worker.OjsFetchAutoConfiguration;
import io.ojs.internal.json.JsonObjects;
import io.ojs.tenant.TenantResolver;
import io.ojs.web.AccessControl;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a tenant can see and do over HTTP.
 */
class HttpTenancyTests {

	private static final String ACME = "acme";

	private static final String RIVAL = "rival";

	/** In everything that the one has, and in nothing that the other has. */
	private static final String MARK = "walnut";

	private static void open(Consumer<HttpApi> test, String... properties) {
		HttpApi.RUNNER.withConfiguration(AutoConfigurations.of(OjsFetchAutoConfiguration.class))
			.withPropertyValues("ojs.http.allow-anonymous=true", "ojs.tenancy.enabled=true",
					"ojs.tenancy.required=false", "ojs.queues.handed.delivery=hand-over", "ojs.webhooks.enabled=true",
					"ojs.webhooks.poll-interval=50ms")
			.withPropertyValues(properties)
			.run((context) -> {
				if (context.getStartupFailure() != null) {
					throw new AssertionError(context.getStartupFailure());
				}
				test.accept(HttpApi.of(context.getSourceApplicationContext()));
			});
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
		return api.send(method, path, body, headers);
	}

	private static String job(String queue, String more) {
		return "{\"type\":\"a.b\",\"args\":[\"%s\"],\"options\":{\"queue\":\"%s\"%s}}".formatted(MARK, queue, more);
	}

	private static Answer created(HttpApi api, String path, String body) {
		Answer created = send(api, ACME, "POST", "/ojs/v1" + path, body);
		assertThat(created.status()).as(created.body()).isIn(200, 201);
		return created;
	}

	/** Something of each kind, in each state. */
	private static Map<String, String> belongings(HttpApi api) {
		Map<String, String> ids = new LinkedHashMap<>();
		ids.put("dead", created(api, "/jobs", job("work", ",\"retry\":{\"max_attempts\":1}")).text("job.id"));
		created(api, "/workers/fetch", "{\"queues\":[\"work\"],\"worker_id\":\"w\"}");
		created(api, "/workers/nack", "{\"job_id\":\"%s\",\"worker_id\":\"w\",\"error\":{\"message\":\"%s\"}}"
			.formatted(ids.get("dead"), MARK));
		ids.put("active", created(api, "/jobs", job("work", "")).text("job.id"));
		created(api, "/workers/fetch", "{\"queues\":[\"work\"],\"worker_id\":\"w\"}");
		created(api, "/jobs/" + ids.get("active") + "/progress",
				"{\"progress\":0.5,\"message\":\"%s\",\"worker_id\":\"w\"}".formatted(MARK));
		ids.put("available", created(api, "/jobs", job("shared", "")).text("job.id"));
		ids.put("handed", created(api, "/jobs", job("handed", "")).text("job.id"));
		ids.put("pending", created(api, "/jobs", job("shared", ",\"pending\":true")).text("job.id"));
		ids.put("scheduled", created(api, "/jobs", job("shared", ",\"delay_until\":\"+PT1H\"")).text("job.id"));
		ids.put("cancelled", created(api, "/jobs", job("shared", "")).text("job.id"));
		created(api, "/jobs/" + ids.get("cancelled") + "/cancel", "{}");
		ids.put("workflow", created(api, "/workflows", "{\"type\":\"chain\",\"name\":\"%s\",\"steps\":[%s,%s]}"
			.formatted(MARK, job("flow", ""), job("flow", ""))).text("workflow.id"));
		// Of events that nobody has had yet: what it gets of these makes more of them.
		ids.put("subscription",
				created(api, "/webhooks/subscriptions",
						"{\"url\":\"https://example.com/%s\",\"events\":[\"dead_letter.deleted\"]}".formatted(MARK))
					.text("subscription.id"));
		return ids;
	}

	/** All that there is, whatever changes by itself left out. */
	private static String everything(HttpApi api, Map<String, String> ids) {
		StringBuilder all = new StringBuilder();
		for (String path : List.of("/admin/jobs?per_page=100", "/events?limit=1000", "/dead-letter?limit=100",
				"/workflows/" + ids.get("workflow"), "/jobs/" + ids.get("active") + "/progress", "/workers/w/health",
				"/webhooks/subscriptions", "/webhooks/subscriptions/" + ids.get("subscription"),
				"/webhooks/deliveries")) {
			Answer answer = send(api, ACME, "GET", "/ojs/v1" + path, null);
			assertThat(answer.status()).as(path + answer.body()).isEqualTo(200);
			if (path.startsWith("/webhooks")) {
				Answer operators = send(api, null, "GET", "/ojs/v1" + path, null);
				assertThat(operators.status()).as(path + operators.body()).isEqualTo(200);
			}
			all.append(answer.body()).append('\n');
		}
		return all.toString();
	}

	private record Operation(String method, String path) {
	}

	private static List<Operation> operations(HttpApi api) {
		List<Operation> operations = new ArrayList<>();
		Map<?, ?> paths = (Map<?, ?>) new JsonObjects()
			.read(api.get("/ojs/openapi.json").body().getBytes(StandardCharsets.UTF_8))
			.get("paths");
		((Map<?, ?>) Objects.requireNonNull(paths)).forEach((path, methods) -> ((Map<?, ?>) methods).keySet()
			.forEach((method) -> operations
				.add(new Operation(method.toString().toUpperCase(Locale.ROOT), path.toString()))));
		// HttpChangeStreamTests has it: these requests are answered at once.
		operations.removeIf((operation) -> operation.path().equals("/ojs/v1/events/stream"));
		return operations;
	}

	/** Its path with whatever somebody could put into it. */
	private static Set<String> paths(Operation operation, Map<String, String> ids) {
		Set<String> paths = new TreeSet<>();
		List<String> values = new ArrayList<>(ids.values());
		values.addAll(List.of("shared", "work", "flow", "w", ACME + "~w", ACME, "queue:shared"));
		for (String value : values) {
			paths.add(operation.path().replaceAll("\\{[^}]*}", value.replace("/", "%2F")));
		}
		return paths;
	}

	private static List<String> bodies(Map<String, String> ids) {
		String all = String.join("\",\"", ids.values());
		List<String> bodies = new ArrayList<>(List.of("{}", "{\"confirm\":true}", "{\"filter\":{},\"confirm\":true}",
				"{\"filter\":{\"ids\":[\"%s\"]},\"confirm\":true}".formatted(all),
				"{\"filter\":{\"queue\":\"shared\"},\"confirm\":true}",
				"{\"states\":[\"available\",\"scheduled\",\"pending\",\"cancelled\",\"discarded\"],\"confirm\":true}",
				"{\"queues\":[\"shared\",\"work\",\"flow\"],\"count\":50,\"worker_id\":\"w\"}",
				"{\"worker_id\":\"w\",\"state\":\"terminate\",\"active_job_ids\":[\"%s\"]}".formatted(all),
				"{\"worker_id\":\"acme~w\",\"active_job_ids\":[\"%s\"],\"visibility_timeout_ms\":1000}".formatted(all),
				"{\"meta\":{\"tenant_id\":\"rival\"}}", "{\"error\":{\"message\":\"x\"}}", "{\"requeue\":true}",
				"{\"progress\":1,\"message\":\"x\"}", "{\"active\":false,\"secret\":\"sixteen-letters-or-more\"}",
				"{\"active\":false}", "{\"secret\":\"sixteen-letters-or-more\"}",
				"{\"url\":\"https://example.com/rival\",\"events\":[\"no.event\"]}",
				"{\"type\":\"a\",\"args\":[],\"meta\":{\"tenant_id\":\"acme\"}}"));
		for (String id : ids.values()) {
			bodies.add("{\"job_id\":\"%s\"}".formatted(id));
			bodies.add("{\"job_id\":\"%s\",\"error\":{\"message\":\"x\",\"retryable\":false}}".formatted(id));
			bodies.add("{\"job_id\":\"%s\",\"requeue\":true}".formatted(id));
		}
		return bodies;
	}

	@Test
	@Tag("EI-005")
	void noEndpointShowsOrTouchesWhatIsAnothers() {
		open((api) -> {
			Map<String, String> ids = belongings(api);
			String before = everything(api, ids);
			assertThat(before).contains(MARK).contains(ids.values());
			int sent = 0;
			for (Operation operation : operations(api)) {
				for (String path : paths(operation, ids)) {
					List<String> bodies = operation.method().equals("GET") ? List.of("") : bodies(ids);
					for (String body : bodies) {
						Answer answer = send(api, RIVAL, operation.method(), path, body.isEmpty() ? null : body);
						sent++;
						assertThat(answer.status()).as(operation.method() + " " + path + " " + body).isLessThan(500);
						if (path.endsWith("openapi.json")) {
							continue;
						}
						assertThat(answer.body()).as(operation.method() + " " + path + " " + body).doesNotContain(MARK);
						ids.values()
							.stream()
							.filter((id) -> !path.contains(id) && !body.contains(id))
							.forEach((id) -> assertThat(answer.body()).doesNotContain(id));
					}
				}
			}
			assertThat(sent).isGreaterThan(5000);
			assertThat(everything(api, ids)).isEqualTo(before);
			assertThat(send(api, RIVAL, "GET", "/ojs/v1/queues/shared", null).at("queue.available")).isEqualTo(0);
			assertThat(send(api, ACME, "GET", "/ojs/v1/queues/shared", null).at("queue.available")).isEqualTo(1);
			assertThat(send(api, null, "GET", "/ojs/v1/admin/tenants", null).text("items[0].tenant_id"))
				.isEqualTo(ACME);
			Answer unfinished = send(api, null, "GET", "/ojs/v1/admin/tenants?view=unfinished", null);
			assertThat(unfinished.at("items[0].tenant_id")).isEqualTo(ACME);
			assertThat(unfinished.at("items[0].jobs"))
				.isEqualTo(Map.of("scheduled", 1, "available", 3, "pending", 1, "active", 1, "retryable", 0));
			assertThat(unfinished.at("items[0].dead_letters")).isEqualTo(1);
			assertThat(unfinished.at("items[0].complete")).isEqualTo(true);
		});
	}

	@Test
	@Tag("EI-004")
	void filtersThatNameAnotherTenantShowNothing() {
		open((api) -> {
			Map<String, String> ids = belongings(api);
			for (String path : List.of("/events?after=0&limit=1000&queues=shared,work,flow", "/workflows?name=" + MARK,
					"/admin/jobs?queue=shared", "/admin/jobs?tenant=acme&tenant_id=acme", "/jobs?queue=shared",
					"/jobs?id=0", "/jobs?cursor=ffffffff-ffff-7fff-bfff-ffffffffffff&state=available,discarded",
					"/dead-letter?queue=work", "/admin/dead-letter?type=a.b", "/dead-letter/stats",
					"/admin/tenants/rival/stats", "/workflows?cursor=ffffffff-ffff-7fff-bfff-ffffffffffff")) {
				Answer own = send(api, ACME, "GET", "/ojs/v1" + path.replace("rival/stats", "acme/stats"), null);
				Answer answer = send(api, RIVAL, "GET", "/ojs/v1" + path, null);
				assertThat(answer.status()).as(path).isEqualTo(200);
				assertThat(answer.body()).doesNotContain(MARK, "a.b").doesNotContain(ids.values());
				// It is the wall that hides it, and not the filter.
				assertThat(own.body()).as(path).isNotEqualTo(answer.body());
			}
			Answer refused = send(api, RIVAL, "GET", "/ojs/v1/jobs?tenant=acme", null);
			assertThat(refused.status()).isEqualTo(400);
			assertThat(refused.at("error.details.field")).isEqualTo("tenant");
			assertThat(send(api, null, "GET", "/ojs/v1/jobs?tenant=acme", null).body()).contains(MARK);
		});
	}

	@ParameterizedTest
	@CsvSource({ "POST,/v1/queues/shared/pause", "PUT,/v1/queues/shared/config", "DELETE,/v1/queues/shared",
			"GET,/v1/queues", "GET,/v1/admin/queues", "GET,/v1/admin/workers", "GET,/v1/admin/stats", "GET,/v1/cron",
			"GET,/v1/rate-limits", "GET,/v1/admin/tenants", "GET,/v1/broker" })
	@Tag("QC-8.5-1")
	void whatConcernsAllIsForOperators(String method, String path) {
		open((api) -> {
			belongings(api);
			Answer refused = send(api, ACME, method, "/ojs" + path, method.equals("GET") ? null : "{}");
			assertThat(refused.status()).isEqualTo(403);
			assertThat(refused.text("error.message")).contains("'acme'");
			assertThat(send(api, null, method, "/ojs" + path, method.equals("GET") ? null : "{}").status())
				.isNotEqualTo(403);
		});
	}

	@Test
	void jobsBelongToWhomTheRequestIsMadeFor() {
		open((api) -> {
			Answer created = created(api, "/jobs", job("shared", ""));
			assertThat(created.at("job.meta.tenant_id")).isEqualTo(ACME);
			Answer conflict = send(api, ACME, "POST", "/ojs/v1/jobs",
					"{\"type\":\"a\",\"args\":[],\"meta\":{\"tenant_id\":\"rival\"}}");
			assertThat(conflict.status()).isEqualTo(400);
			assertThat(conflict.at("error.details.field")).isEqualTo("meta.tenant_id");
			Answer batch = send(api, ACME, "POST", "/ojs/v1/jobs/batch",
					"{\"jobs\":[%s,%s]}".formatted(job("shared", ""), job("shared", "")));
			assertThat(batch.at("jobs[1].meta.tenant_id")).isEqualTo(ACME);
			assertThat(api.post("/ojs/v1/jobs", job("shared", "")).at("job.meta")).isIn(null, Map.of());
			Answer stats = send(api, ACME, "GET", "/ojs/v1/admin/tenants/acme/stats", null);
			assertThat(stats.at("total_jobs")).isEqualTo(3);
			assertThat(stats.at("queues.shared.available")).isEqualTo(3);
		});
	}

	@Test
	void uniqueJobsOfTwoTenantsAreNotAlike() {
		open((api) -> {
			String unique = job("shared", ",\"unique\":{\"keys\":[\"type\",\"args\"],\"on_conflict\":\"reject\"}");
			String own = created(api, "/jobs", unique).text("job.id");
			assertThat(send(api, RIVAL, "POST", "/ojs/v1/jobs", unique).status()).isEqualTo(201);
			Answer duplicate = send(api, ACME, "POST", "/ojs/v1/jobs", unique);
			assertThat(duplicate.status()).isEqualTo(409);
			assertThat(duplicate.at("error.details.existing_job_id")).isEqualTo(own);
		});
	}

	@Test
	void retryKeepsTheTenant() {
		open((api) -> {
			String id = belongings(api).get("dead");
			Answer moved = send(api, ACME, "POST", "/ojs/v1/dead-letter/" + id + "/retry",
					"{\"meta\":{\"tenant_id\":\"rival\"}}");
			assertThat(moved.status()).isEqualTo(400);
			Answer replayed = send(api, ACME, "POST", "/ojs/v1/dead-letter/" + id + "/retry", "{}");
			assertThat(replayed.status()).isEqualTo(200);
			assertThat(replayed.at("job.meta.tenant_id")).isEqualTo(ACME);
		});
	}

	@Test
	void jobOfNobodyIsRefusedWhereEachBelongsToSomebody() {
		open((api) -> {
			Answer refused = api.post("/ojs/v1/jobs", job("shared", ""));
			assertThat(refused.status()).isEqualTo(422);
			assertThat(refused.at("error.details.field")).isEqualTo("meta.tenant_id");
			assertThat(send(api, ACME, "POST", "/ojs/v1/jobs", job("shared", "")).status()).isEqualTo(201);
		}, "ojs.tenancy.required=true");
	}

	@Test
	void applicationTellsOfCallersWithoutSecurity() {
		HttpApi.RUNNER.withClassLoader(new FilteredClassLoader("org.springframework.security"))
			.withBean(AccessControl.class, () -> AccessControl.ANYBODY)
			.withPropertyValues("ojs.tenancy.enabled=true")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("says nothing of tenants"));
		AtomicReference<@Nullable String> caller = new AtomicReference<>(ACME);
		HttpApi.RUNNER.withClassLoader(new FilteredClassLoader("org.springframework.security"))
			.withBean(AccessControl.class, () -> AccessControl.ANYBODY)
			.withBean(TenantResolver.class, () -> () -> Optional.ofNullable(caller.get()))
			.withPropertyValues("ojs.tenancy.enabled=true")
			.run((context) -> {
				HttpApi api = HttpApi.of(context.getSourceApplicationContext());
				assertThat(send(api, null, "POST", "/ojs/v1/jobs", job("shared", "")).at("job.meta.tenant_id"))
					.isEqualTo(ACME);
				assertThat(send(api, null, "GET", "/ojs/v1/queues", null).status()).isEqualTo(403);
				assertThat(send(api, RIVAL, "GET", "/ojs/v1/events", null).status()).isEqualTo(403);
				caller.set(null);
				assertThat(send(api, null, "GET", "/ojs/v1/events", null).status()).isEqualTo(403);
				assertThat(send(api, ACME, "GET", "/ojs/v1/events", null).status()).isEqualTo(403);
			});
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void rightToReadWithoutAuthoritiesLetsNoCallerChangeJobsOfAllTenants(boolean security) {
		AtomicReference<@Nullable String> caller = new AtomicReference<>();
		HttpApi.RUNNER
			.withClassLoader(
					security ? getClass().getClassLoader() : new FilteredClassLoader("org.springframework.security"))
			.withBean(AccessControl.class, () -> AccessControl.ANYBODY)
			.withBean(TenantResolver.class, () -> () -> Optional.ofNullable(caller.get()))
			.withPropertyValues("ojs.tenancy.enabled=true", "ojs.http.anonymous-rights=read")
			.run((context) -> {
				HttpApi api = HttpApi.of(context.getSourceApplicationContext());
				assertThat(send(api, null, "GET", "/ojs/v1/events", null).status()).isEqualTo(200);
				assertThat(send(api, ACME, "GET", "/ojs/v1/events", null).status()).isEqualTo(200);
				assertThat(send(api, null, "GET", "/ojs/v1/me", null).at("tenants.all")).isEqualTo(true);
				for (String tenant : Arrays.asList(null, ACME)) {
					Answer refused = send(api, tenant, "POST", "/ojs/v1/jobs", job("shared", ""));
					assertThat(refused.status()).as(refused.body()).isEqualTo(403);
					assertThat(send(api, tenant, "POST", "/ojs/v1/queues/shared/pause", "{}").status()).isEqualTo(403);
				}
				caller.set(ACME);
				assertThat(send(api, null, "POST", "/ojs/v1/jobs", job("shared", "")).status()).isEqualTo(201);
			});
	}

	@Test
	void rightToReadWithoutAuthoritiesDoesNotReplaceTenantsOfOtherCallers() {
		HttpApi.RUNNER.withClassLoader(new FilteredClassLoader("org.springframework.security"))
			.withBean(AccessControl.class, () -> AccessControl.ANYBODY)
			.withPropertyValues("ojs.tenancy.enabled=true", "ojs.http.anonymous-rights=read")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("says nothing of tenants"));
		HttpApi.RUNNER.withClassLoader(new FilteredClassLoader("org.springframework.security"))
			.withPropertyValues("ojs.tenancy.enabled=true", "ojs.http.anonymous-rights=read")
			.run((context) -> assertThat(
					send(HttpApi.of(context.getSourceApplicationContext()), null, "GET", "/ojs/v1/queues", null)
						.status())
				.isEqualTo(200));
	}

	@Test
	void headerThatMeansNothingIsRefused() {
		open((api) -> {
			assertThat(send(api, "no tenant", "GET", "/ojs/v1/events", null).at("error.details.field"))
				.isEqualTo("X-OJS-Tenant");
			assertThat(send(api, "no tenant", "GET", "/ojs/v1/events", null).status()).isEqualTo(400);
		});
		HttpApi.open((api) -> {
			Answer refused = send(api, ACME, "GET", "/ojs/v1/events", null);
			assertThat(refused.status()).isEqualTo(400);
			assertThat(refused.text("error.message")).contains("ojs.tenancy.enabled");
			assertThat(api.get("/ojs/v1/admin/tenants").status()).isEqualTo(404);
		});
	}

}
