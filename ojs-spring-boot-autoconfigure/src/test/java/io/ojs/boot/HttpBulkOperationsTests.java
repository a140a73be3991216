package io.ojs.boot;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import javax.sql.DataSource;

import io.ojs.boot.HttpApi.Answer;
import io.ojs.client.internal.EncodedJob;
import io.ojs.event.internal.Transition;
import io.ojs.internal.json.JobCodec;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.internal.Rfc3339;
import io.ojs.store.internal.JobStore;
import io.ojs.store.internal.attempt.AttemptStore;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.attempt.Outcome;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Operations on many jobs, and the numbers that callers choose them by, over HTTP.
 */
class HttpBulkOperationsTests {

	@RegisterExtension
	static final HttpApi.Kept kept = new HttpApi.Kept();

	private static final String HASH = "0123456789abcdef";

	private static final String OPERATIONS = "/ojs/v1/operations";

	/** An application with three dead letters, one of them of a tenant. */
	private record There(ApplicationContext context, HttpApi api) {

		String push(String queue, @Nullable String tenant) {
			return this.api
				.send("POST", "/ojs/v1/jobs",
						"{\"type\":\"mail.send\",\"args\":[1],\"options\":{\"queue\":\"%s\"}}".formatted(queue),
						(tenant != null) ? Map.of("Content-Type", "application/json", "X-OJS-Tenant", tenant)
								: Map.of("Content-Type", "application/json"))
				.text("job.id");
		}

		String dead(String queue, @Nullable String hash, @Nullable String tenant) {
			Job job = this.context.getBean(JobStore.class).find(push(queue, tenant)).orElseThrow().job();
			EncodedJob encoded = new EncodedJob(job, this.context.getBean(JobCodec.class).encode(job), 3);
			AttemptStore attempts = this.context.getBean(AttemptStore.class);
			Claim.Taken taken = (Claim.Taken) attempts
				.claim(List.of(new ClaimRequest(encoded, queue, 1, Map.of(), Duration.ofSeconds(30))), "worker",
						Instant.now(), true)
				.get(0);
			JobError error = new JobError("NetError", JobError.HANDLER_ERROR, "no luck", 1, Rfc3339.utc(Instant.now()),
					List.of("a.B.c(B.java:1)"), Map.of());
			attempts.settle(List.of(new Outcome.Discarded(taken.lease(), error, hash, Transition.EXHAUST)),
					Instant.now());
			return job.id();
		}

		Answer as(String tenant, String method, String path, @Nullable String body) {
			return this.api.send(method, path, body,
					Map.of("Content-Type", "application/json", "X-OJS-Tenant", tenant));
		}

		Answer ended(String id) {
			await().until(() -> this.api.get(OPERATIONS + "/" + id).at("operation.ended_at") != null);
			return this.api.get(OPERATIONS + "/" + id);
		}

		@Nullable Object total(String query) {
			return this.api.get("/ojs/v1/dead-letter" + query).at("pagination.total");
		}

	}

	private static void open(Consumer<There> test, String... properties) {
		HttpApi.RUNNER.withPropertyValues("ojs.http.allow-anonymous=true")
			.withPropertyValues(properties)
			.run((context) -> test.accept(new There(context.getSourceApplicationContext(),
					HttpApi.of(context.getSourceApplicationContext()))));
	}

	@Test
	void facetsCountWhatAReplayMeans() {
		open((there) -> {
			there.dead("a", HASH, null);
			there.dead("a", HASH, null);
			there.dead("b", null, null);
			Answer facets = there.api.get("/ojs/v1/dead-letter/facets");
			assertThat(facets.at("counted")).isEqualTo(3);
			assertThat(facets.at("complete")).isEqualTo(true);
			assertThat(facets.at("facets.queue[0].value")).isEqualTo("a");
			assertThat(facets.at("facets.queue[0].count")).isEqualTo(2);
			assertThat(facets.at("facets.error_hash[0].value")).isEqualTo(HASH);
			assertThat(facets.at("facets.error_hash[0].sample")).isEqualTo(Map.of("job_type", "mail.send", "type",
					"NetError", "message", "no luck", "frame", "a.B.c(B.java:1)"));
			assertThat(facets.at("facets.age[0]")).isEqualTo(Map.of("value", "1h", "count", 3));
			assertThat(there.api.get("/ojs/v1/dead-letter/facets?error_hash=" + HASH + "&queue=a").at("counted"))
				.isEqualTo(2);
			assertThat(there.api.get("/ojs/v1/dead-letter/facets?error_type=Net.*").at("counted")).isEqualTo(0);
			assertThat(there.total("?error_hash=" + HASH)).isEqualTo(2);
			assertThat(there.total("?error_type=NetError&origin=b")).isEqualTo(1);
			there.dead("a", HASH, null);
			Answer replay = there.api.post(OPERATIONS, """
					{"action":"replay","filter":{"error_hash":"%s"},"until":"%s","confirm":true}""".formatted(HASH,
					facets.text("until")));
			assertThat(replay.status()).isEqualTo(202);
			Answer done = there.ended(replay.text("operation.id"));
			assertThat(done.at("operation.state")).isEqualTo("completed");
			assertThat(done.at("operation.done")).as("what was seen").isEqualTo(2);
			assertThat(there.total("")).isEqualTo(2);
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			error_hash= x | 400 | error_hash
			queue=a&origin=b | 400 | origin
			queue=%20 | 400 | queue
			tenant=%20 | 400 | tenant
			since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z | 400 | until
			""")
	void parametersThatMatchNothingAreRefused(String query, int status, String field) {
		HttpApi api = kept.api();
		Answer answer = api.get("/ojs/v1/dead-letter/facets?" + query.replace("= x", "=" + "x".repeat(300)));
		assertThat(answer.status()).isEqualTo(status);
		assertThat(answer.at("error.details.field")).isEqualTo(field);
	}

	@Test
	void operationsShowWhatTheyDoAndWhoAsked() {
		open((there) -> {
			String dead = there.dead("a", HASH, null);
			Answer dry = there.api.post(OPERATIONS, """
					{"action":"replay","filter":{"queue":"a"},"dry_run":true}""");
			assertThat(dry.status()).isEqualTo(200);
			assertThat(dry.at("operation.matched")).isEqualTo(1);
			assertThat(dry.at("operation.complete")).isEqualTo(true);
			assertThat(dry.at("operation.id")).isNull();
			assertThat(dry.at("operation.by_type")).isEqualTo(List.of(Map.of("value", "mail.send", "count", 1)));
			assertThat(dry.at("operation.by_queue")).isEqualTo(List.of(Map.of("value", "a", "count", 1)));
			assertThat(dry.at("operation.by_error_type")).isEqualTo(List.of(Map.of("value", "NetError", "count", 1)));
			assertThat(there.api.get(OPERATIONS).at("items")).isEqualTo(List.of());
			Answer created = there.api.post(OPERATIONS, """
					{"action":"replay","filter":{"queue":"a"},"confirm":true,"limit":5,"rate":10,
					 "overrides":{"queue":"later","retry":{"max_attempts":1}}}""");
			String id = created.text("operation.id");
			assertThat(created.header("Location")).isEqualTo(OPERATIONS + "/" + id);
			Answer done = there.ended(id);
			assertThat(done.at("operation.by")).isEqualTo("anonymous");
			assertThat(done.at("operation.filter.queue")).isEqualTo("a");
			assertThat(done.at("operation.rate")).hasToString("10.0");
			assertThat(done.at("operation.outcome"))
				.isEqualTo(Map.of("states", Map.of("available", 1), "complete", true));
			assertThat(there.api.get("/ojs/v1/jobs?operation=" + id).at("items[0].id")).isEqualTo(dead);
			assertThat(there.api.get("/ojs/v1/jobs?operation=" + dead).at("items")).isEqualTo(List.of());
			assertThat(there.api.get("/ojs/v1/jobs?operation=1").at("error.details.field")).isEqualTo("operation");
			assertThat(there.api.get("/ojs/v1/jobs/" + dead).at("job.queue")).isEqualTo("later");
			assertThat(there.api.get(OPERATIONS + "?state=completed").at("items[0].id")).isEqualTo(id);
			assertThat(there.api.get(OPERATIONS + "?state=running,waiting").at("items")).isEqualTo(List.of());
			assertThat(there.api.post(OPERATIONS + "/" + id + "/stop", "").at("operation.state"))
				.isEqualTo("completed");
			assertThat(there.api.get(OPERATIONS + "/nothing").status()).isEqualTo(404);
			String second = there.api
				.post(OPERATIONS, "{\"action\":\"cancel\",\"filter\":{\"queue\":\"later\"},\"confirm\":true}")
				.text("operation.id");
			assertThat(there.ended(second).at("operation.done")).isEqualTo(1);
			Answer page = there.api.get(OPERATIONS + "?limit=1");
			assertThat(page.at("items[0].id")).isEqualTo(second);
			assertThat(there.api.get(OPERATIONS + "?limit=1&cursor=" + page.text("pagination.next_cursor"))
				.at("items[0].id")).isEqualTo(id);
			String third = there.api
				.post(OPERATIONS, "{\"action\":\"delete\",\"filter\":{\"state\":\"cancelled\"},\"confirm\":true}")
				.text("operation.id");
			assertThat(there.ended(third).at("operation.done")).isEqualTo(1);
			assertThat(there.api.get("/ojs/v1/jobs/" + dead).status()).isEqualTo(404);
		});
	}

	@Test
	void replaysTakeAsLongAsTheirRateSays() {
		open((there) -> {
			for (int i = 0; i < 9; i++) {
				there.dead("a", null, null);
			}
			Answer done = there
				.ended(there.api.post(OPERATIONS, "{\"action\":\"replay\",\"filter\":{},\"rate\":3,\"confirm\":true}")
					.text("operation.id"));
			assertThat(done.at("operation.done")).isEqualTo(9);
			assertThat(Duration.between(Instant.parse(done.text("operation.started_at")),
					Instant.parse(done.text("operation.ended_at"))))
				.isBetween(Duration.ofSeconds(2), Duration.ofSeconds(6));
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
			{"action":"replay","filter":{}} | confirm
			{"action":"move","filter":{},"confirm":true} | action
			{"action":"replay","confirm":true} | filter
			{"action":"replay","filter":{"typo":1},"confirm":true} | filter.typo
			{"action":"replay","filter":{"tenant":" "},"confirm":true} | filter.tenant
			{"action":"cancel","filter":{"label":"urgent"},"confirm":true} | label
			{"action":"cancel","filter":{},"rate":5,"confirm":true} | rate
			{"action":"cancel","filter":{},"target":"dead_letters","confirm":true} | target
			{"action":"cancel","filter":{"state":"completed"},"confirm":true} | filter.state
			{"action":"delete","filter":{"state":"active"},"confirm":true} | filter.state
			{"action":"delete","filter":{"ids":[]},"confirm":true} | filter.ids
			{"action":"replay","filter":{},"overrides":{"args":[1]},"confirm":true} | overrides.args
			{"action":"replay","filter":{},"overrides":{"priority":101},"confirm":true} | overrides.priority
			{"action":"replay","filter":{},"limit":0,"confirm":true} | limit
			{"action":"replay","filter":{"since":"2999-01-01T00:00:00Z"},"confirm":true} | filter.since
			{"action":"replay","filter":{},"confirm":true,"more":1} | more
			""")
	void wrongRequestsNameTheField(String body, String field) {
		HttpApi api = kept.api();
		Answer answer = api.post(OPERATIONS, body);
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.at("error.details.field")).isEqualTo(field);
		assertThat(api.get(OPERATIONS).at("items")).isEqualTo(List.of());
	}

	@Test
	void filtersAreThoseOfTheList() {
		open((there) -> {
			String id = there.push("a", null);
			there.push("a", null);
			String filter = "{\"id\":\"%s\",\"type\":\"mail.*\",\"since\":\"2020-01-01T00:00:00Z\"}".formatted(id);
			Answer dry = there.api.post(OPERATIONS,
					"{\"action\":\"cancel\",\"filter\":%s,\"dry_run\":true}".formatted(filter));
			assertThat(dry.at("operation.matched")).isEqualTo(1);
			Answer created = there.api.post(OPERATIONS,
					"{\"action\":\"cancel\",\"filter\":%s,\"confirm\":true}".formatted(filter));
			assertThat(there.ended(created.text("operation.id")).at("operation.done")).isEqualTo(1);
			assertThat(there.api.get("/ojs/v1/jobs/" + id).at("job.state")).isEqualTo("cancelled");
			for (String none : List.of("{\"label\":\"#urgent\"}", "{\"error\":\"text\"}", "{\"error_type\":\"E\"}",
					"{\"workflow_id\":\"%s\"}".formatted(id), "{\"operation\":\"%s\"}".formatted(id))) {
				assertThat(there.api
					.post(OPERATIONS, "{\"action\":\"cancel\",\"filter\":%s,\"dry_run\":true}".formatted(none))
					.at("operation.matched")).as(none).isEqualTo(0);
			}
		});
	}

	@Test
	void idsAreThoseThatPagesShow() {
		open((there) -> {
			String id = there.push("a", null);
			String other = there.push("a", null);
			String shown = id.substring(0, 8) + "\u2026" + id.substring(id.length() - 6);
			Answer created = there.api.post(OPERATIONS,
					"{\"action\":\"cancel\",\"filter\":{\"id\":\"%s\"},\"confirm\":true}".formatted(shown));
			assertThat(created.at("operation.filter.id")).isEqualTo(shown);
			assertThat(there.ended(created.text("operation.id")).at("operation.done")).isEqualTo(1);
			assertThat(there.api.get("/ojs/v1/jobs/" + id).at("job.state")).isEqualTo("cancelled");
			assertThat(there.api.get("/ojs/v1/jobs/" + other).at("job.state")).isEqualTo("available");
		});
	}

	@Test
	void operatorNamesATenant() {
		open((there) -> {
			there.dead("a", HASH, "acme");
			there.dead("a", HASH, "other");
			Answer dry = there.api.post(OPERATIONS,
					"{\"action\":\"replay\",\"filter\":{\"tenant\":\"acme\"},\"dry_run\":true}");
			assertThat(dry.at("operation.matched")).isEqualTo(1);
			assertThat(dry.at("operation.filter.tenant")).isEqualTo("acme");
			assertThat(there
				.as("other", "POST", OPERATIONS,
						"{\"action\":\"replay\",\"filter\":{\"tenant\":\"acme\"},\"dry_run\":true}")
				.at("error.details.field")).isEqualTo("filter.tenant");
		}, "ojs.tenancy.enabled=true");
	}

	@Test
	void tenantsHaveTheirOwn() {
		open((there) -> {
			String own = there.dead("a", HASH, "acme");
			there.dead("a", HASH, "other");
			for (String list : List.of("jobs", "dead-letter", "dead-letter/facets")) {
				assertThat(there.as("acme", "GET", "/ojs/v1/" + list + "?tenant=other", null).at("error.details.field"))
					.isEqualTo("tenant");
				assertThat(there.as("acme", "GET", "/ojs/v1/" + list + "?tenant=acme", null).status()).isEqualTo(200);
				assertThat(there.api.get("/ojs/v1/" + list + "?tenant=%20").at("error.details.field"))
					.isEqualTo("tenant");
			}
			assertThat(there.api.get("/ojs/v1/dead-letter/facets").at("counted")).isEqualTo(2);
			assertThat(there.api.get("/ojs/v1/dead-letter/facets?tenant=acme").at("counted")).isEqualTo(1);
			String ofOther = there
				.as("other", "POST", OPERATIONS, "{\"action\":\"replay\",\"filter\":{},\"dry_run\":true}")
				.text("operation.matched");
			assertThat(ofOther).isEqualTo("1");
			String id = there.as("acme", "POST", OPERATIONS, "{\"action\":\"replay\",\"filter\":{},\"confirm\":true}")
				.text("operation.id");
			Answer done = there.ended(id);
			assertThat(done.at("operation.done")).isEqualTo(1);
			assertThat(done.at("operation.tenant")).isEqualTo("acme");
			assertThat(there.as("acme", "GET", "/ojs/v1/jobs/" + own, null).at("job.state")).isEqualTo("available");
			assertThat(there.as("acme", "GET", OPERATIONS, null).at("items[0].id")).isEqualTo(id);
			assertThat(there.as("other", "GET", OPERATIONS, null).at("items")).isEqualTo(List.of());
			assertThat(there.as("other", "GET", OPERATIONS + "/" + id, null).status()).isEqualTo(404);
			assertThat(there.as("other", "POST", OPERATIONS + "/" + id + "/stop", "").status()).isEqualTo(404);
			new JdbcTemplate(there.context.getBean(DataSource.class))
				.update("update ojs_operation set state = 'failed', problem = 'SQL [select]'");
			assertThat(there.api.get(OPERATIONS + "/" + id).text("operation.problem")).isEqualTo("SQL [select]");
			assertThat(there.api.get(OPERATIONS + "/" + id).at("operation.process")).isNotNull();
			for (Answer answer : List.of(there.as("acme", "GET", OPERATIONS + "/" + id, null),
					there.as("acme", "POST", OPERATIONS + "/" + id + "/stop", ""))) {
				assertThat(answer.text("operation.problem")).isNotEmpty().doesNotContain("SQL");
				assertThat(answer.at("operation.process")).isNull();
			}
			assertThat(there.as("acme", "GET", "/ojs/v1/jobs?worker=w", null).at("error.details.field"))
				.isEqualTo("worker");
			assertThat(there
				.as("acme", "POST", OPERATIONS,
						"{\"action\":\"cancel\",\"filter\":{\"worker\":\"w\"},\"dry_run\":true}")
				.status()).isEqualTo(400);
			assertThat(there
				.as("other", "POST", OPERATIONS,
						"{\"action\":\"cancel\",\"filter\":{\"tenant\":\"acme\"},\"dry_run\":true}")
				.at("error.details.field")).isEqualTo("filter.tenant");
		}, "ojs.tenancy.enabled=true");
	}

}
