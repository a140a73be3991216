package io.ojs.boot;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

import io.ojs.boot.HttpApi.Answer;
import io.ojs.boot.worker.OjsFetchAutoConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Why a job does not run and what has happened to it, over HTTP.
 */
class HttpInspectionTests {

	private static void open(Consumer<HttpApi> test, String... properties) {
		HttpApi.RUNNER.withConfiguration(AutoConfigurations.of(OjsFetchAutoConfiguration.class))
			.withPropertyValues("ojs.http.allow-anonymous=true")
			.withPropertyValues(properties)
			.run((context) -> {
				assertThat(context).hasNotFailed();
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

	private static String pushed(HttpApi api, String options) {
		return api
			.post("/ojs/v1/jobs",
					"{\"type\":\"a.b\",\"args\":[1],\"options\":{\"queue\":\"work\"%s}}".formatted(options))
			.text("job.id");
	}

	private static List<String> codes(Answer why) {
		return ((List<?>) Objects.requireNonNull(why.at("reasons"))).stream()
			.map((reason) -> String.valueOf(((Map<?, ?>) reason).get("code")))
			.toList();
	}

	@Test
	void jobThatWaitsSaysWhy() {
		open((api) -> {
			String id = pushed(api, ",\"delay_until\":\"+PT1H\"");
			Answer why = api.get("/ojs/v1/jobs/" + id + "/why");
			assertThat(why.status()).isEqualTo(200);
			assertThat(why.at("job_id")).isEqualTo(id);
			assertThat(why.at("state")).isEqualTo("scheduled");
			assertThat(why.text("as_of")).endsWith("Z");
			assertThat(codes(why)).containsExactly("scheduled");
			assertThat(why.text("reasons[0].sentence")).startsWith("Is scheduled for ");
			assertThat(why.text("reasons[0].until")).endsWith("Z");
			assertThat(why.at("reasons[0].facts.scheduled_at")).isNotNull();
			assertThat(api.get("/ojs/v1/jobs/019539a4-b68c-7def-8000-1a2b3c4d5e6f/why").status()).isEqualTo(404);
			assertThat(api.get("/ojs/v1/jobs/none/why").status()).isEqualTo(404);
			assertThat(api.get("/ojs/v1/jobs/none/timeline").status()).isEqualTo(404);
		});
	}

	@Test
	void jobThatCannotReachTheBrokerSaysSo() {
		open((api) -> {
			String id = pushed(api, "");
			await().untilAsserted(() -> assertThat(codes(api.get("/ojs/v1/jobs/" + id + "/why")))
				.contains("broker_down", "no_worker", "not_published"));
			Answer why = api.get("/ojs/v1/jobs/" + id + "/why");
			assertThat(why.body()).contains("This process is not connected to RabbitMQ since ");
		});
	}

	@Test
	void callerWhoPausesAQueueIsNamed() {
		HttpApi.RUNNER.withPropertyValues("ojs.http.allow-anonymous=true").run((context) -> {
			MockMvc mvc = MockMvcBuilders.webAppContextSetup(context.getSourceApplicationContext()).build();
			HttpApi api = HttpApi.of(context.getSourceApplicationContext());
			String id = pushed(api, "");
			assertThat(mvc.perform(MockMvcRequestBuilders.post("/ojs/v1/queues/work/pause").principal(() -> "ann"))
				.andReturn()
				.getResponse()
				.getStatus()).isEqualTo(200);
			assertThat(api.get("/ojs/v1/jobs/" + id + "/why").text("reasons[0].sentence"))
				.startsWith("Queue 'work' is paused by ann since ");
			assertThat(mvc.perform(MockMvcRequestBuilders.delete("/ojs/v1/jobs/" + id).principal(() -> "bob"))
				.andReturn()
				.getResponse()
				.getStatus()).isEqualTo(200);
			Answer events = api.get("/ojs/v1/events?types=queue.paused,job.cancelled");
			assertThat(events.at("events[0].data.by")).isEqualTo("ann");
			assertThat(events.at("events[1].data.by")).isEqualTo("bob");
			Answer timeline = api.get("/ojs/v1/jobs/" + id + "/timeline");
			assertThat(timeline.at("entries[1].kind")).isEqualTo("cancelled");
			assertThat(timeline.at("entries[1].by")).isEqualTo("bob");
		});
	}

	@Test
	void attemptsOfAnHttpWorkerAreOnTheTimeline() {
		open((api) -> {
			String id = pushed(api, ",\"retry\":{\"max_attempts\":1}");
			api.post("/ojs/v1/workers/fetch", "{\"queues\":[\"work\"],\"worker_id\":\"w-1\"}");
			assertThat(codes(api.get("/ojs/v1/jobs/" + id + "/why"))).containsExactly("running");
			api.post("/ojs/v1/workers/nack",
					"{\"job_id\":\"%s\",\"worker_id\":\"w-1\",\"error\":{\"message\":\"no luck\",\"code\":\"X\"}}"
						.formatted(id));
			Answer timeline = api.get("/ojs/v1/jobs/" + id + "/timeline");
			assertThat(timeline.at("complete")).isEqualTo(true);
			assertThat(timeline.at("entries[0].kind")).isEqualTo("created");
			assertThat(timeline.at("entries[1].kind")).isEqualTo("started");
			assertThat(timeline.at("entries[1].worker")).isEqualTo("w-1");
			assertThat(timeline.at("entries[1].attempt")).isEqualTo(1);
			assertThat(timeline.at("entries[1].wait_ms")).isNotNull();
			assertThat(timeline.at("entries[2].error.message")).isEqualTo("no luck");
			assertThat(timeline.at("entries[3].kind")).isEqualTo("dead_lettered");
			assertThat(codes(api.get("/ojs/v1/jobs/" + id + "/why"))).containsExactly("ended");
		});
	}

	@Test
	void tenantsSeeNeitherOthersNorNamesOfOperatorsAndWorkers() {
		open((api) -> {
			String own = send(api, "acme", "POST", "/jobs",
					"{\"type\":\"a\",\"args\":[],\"options\":{\"queue\":\"work\"}}")
				.text("job.id");
			api.post("/ojs/v1/workers/fetch", "{\"queues\":[\"work\"],\"worker_id\":\"host-7\"}");
			for (String path : List.of("/why", "/timeline")) {
				assertThat(send(api, "acme", "GET", "/jobs/" + own + path, null).status()).isEqualTo(200);
				assertThat(send(api, "acme", "GET", "/jobs/" + own + path, null).body()).doesNotContain("host-7");
				assertThat(api.get("/ojs/v1/jobs/" + own + path).body()).contains("host-7");
				assertThat(send(api, "rival", "GET", "/jobs/" + own + path, null).status()).isEqualTo(404);
			}
			assertThat(api.get("/ojs/v1/jobs/" + own).at("job.worker")).isEqualTo("host-7");
			assertThat(api.get("/ojs/v1/admin/jobs/" + own).at("worker")).isEqualTo("host-7");
			assertThat(api.get("/ojs/v1/admin/jobs").at("items[0].worker")).isEqualTo("host-7");
			for (String path : List.of("/jobs/" + own, "/admin/jobs/" + own, "/admin/jobs")) {
				assertThat(send(api, "acme", "GET", path, null).body()).contains(own).doesNotContain("host-7");
			}
		}, "ojs.tenancy.enabled=true", "ojs.tenancy.required=false");
	}

}
