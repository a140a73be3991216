package io.ojs.boot;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.ojs.boot.HttpApi.Answer;
import io.ojs.boot.worker.OjsFetchAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Workers and rate limits, as those see them who operate.
 */
class HttpOperationsTests {

	private static void open(Consumer<HttpApi> test) {
		HttpApi.RUNNER.withConfiguration(AutoConfigurations.of(OjsFetchAutoConfiguration.class))
			.withPropertyValues("ojs.http.allow-anonymous=true")
			.run((context) -> test.accept(HttpApi.of(context.getSourceApplicationContext())));
	}

	private static Answer beat(HttpApi api, String worker, String more) {
		return api.post("/ojs/v1/workers/heartbeat", "{\"worker_id\":\"%s\"%s}".formatted(worker, more));
	}

	@Test
	void workersAreListedPageByPageAndCounted() {
		open((api) -> {
			beat(api, "w-1", ",\"hostname\":\"h\",\"active_jobs\":2,\"queues\":[\"q\"]");
			beat(api, "w-2", ",\"state\":\"quiet\"");
			beat(api, "w-3", "");
			Answer all = api.get("/ojs/v1/admin/workers");
			assertThat(all.at("pagination.total")).isEqualTo(3);
			assertThat(all.at("summary"))
				.isEqualTo(Map.of("total", 3, "running", 2, "quiet", 1, "terminate", 0, "stale", 0));
			assertThat(all.at("items[0].hostname")).isEqualTo("h");
			assertThat(all.at("items[0].active_jobs")).isEqualTo(2);
			assertThat(all.at("items[0].queues")).isEqualTo(List.of("q"));
			Answer second = api.get("/ojs/v1/admin/workers?per_page=2&page=2");
			assertThat((List<?>) second.at("items")).hasSize(1);
			assertThat(second.at("items[0].id")).isEqualTo("w-3");
			assertThat(api.get("/ojs/v1/admin/stats").at("workers")).isEqualTo(3);
		});
	}

	@Test
	void whatEndedInTheLastMinuteIsCounted() {
		open((api) -> {
			for (int i = 0; i < 3; i++) {
				api.post("/ojs/v1/jobs", "{\"type\":\"a\",\"args\":[],\"options\":{\"queue\":\"q\"}}");
			}
			Answer fetched = api.post("/ojs/v1/workers/fetch", "{\"queues\":[\"q\"],\"count\":3}");
			api.post("/ojs/v1/jobs/%s/ack".formatted(fetched.text("jobs[0].id")), "");
			api.post("/ojs/v1/jobs/%s/ack".formatted(fetched.text("jobs[1].id")), "");
			api.post("/ojs/v1/jobs/%s/nack".formatted(fetched.text("jobs[2].id")),
					"{\"error\":{\"message\":\"no luck\",\"retryable\":false}}");
			Answer stats = api.get("/ojs/v1/admin/stats");
			assertThat(stats.at("throughput")).isEqualTo(Map.of("processed_per_minute", 2, "failed_per_minute", 1));
			assertThat(stats.at("jobs.completed")).isEqualTo(2);
			assertThat(stats.at("queues")).isEqualTo(1);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "quiet", "terminate" })
	void workerIsDirected(String state) {
		open((api) -> {
			beat(api, "w", "");
			Answer directed = api.post("/ojs/v1/admin/workers/w/" + state, "");
			assertThat(directed.status()).isEqualTo(200);
			assertThat(directed.at("directive")).isEqualTo(state);
			assertThat(directed.at("state")).isEqualTo(state);
			assertThat(beat(api, "w", "").at("state")).isEqualTo(state);
			assertThat(api.get("/ojs/v1/workers/w/health").at("status")).isEqualTo("degraded");
			assertThat(api.post("/ojs/v1/admin/workers/none/" + state, "").status()).isEqualTo(404);
			assertThat(api.get("/ojs/v1/admin/workers/none").status()).isEqualTo(404);
		});
	}

	private static void push(HttpApi api, String limit) {
		assertThat(api
			.post("/ojs/v1/jobs",
					"{\"type\":\"a\",\"args\":[],\"options\":{\"queue\":\"q\",\"rate_limit\":%s}}".formatted(limit))
			.status()).isEqualTo(201);
	}

	@Test
	void rateLimitTellsWhoRunsAndWhoWaits() {
		open((api) -> {
			assertThat(api.get("/ojs/v1/rate-limits/printer").status()).isEqualTo(404);
			for (int i = 0; i < 3; i++) {
				push(api, "{\"key\":\"printer\",\"concurrency\":1,\"rate\":{\"limit\":5,\"period\":\"PT1H\"}}");
			}
			Answer before = api.get("/ojs/v1/rate-limits/printer");
			assertThat(before.at("concurrency")).isEqualTo(Map.of("limit", 1, "active", 0, "available", 1));
			Answer fetched = api.post("/ojs/v1/workers/fetch", "{\"queues\":[\"q\"],\"count\":5}");
			assertThat((List<?>) fetched.at("jobs")).hasSize(1);
			Answer after = api.get("/ojs/v1/rate-limits/printer");
			assertThat(after.at("key")).isEqualTo("printer");
			assertThat(after.at("concurrency")).isEqualTo(Map.of("limit", 1, "active", 1, "available", 0));
			assertThat(after.at("rate.current_count")).isEqualTo(1);
			assertThat(after.at("rate.window_resets_at")).isNotNull();
			assertThat(after.at("waiting_count")).isEqualTo(2);
			assertThat(after.at("running_jobs[0].id")).isEqualTo(fetched.at("jobs[0].id"));
			assertThat(after.at("running_jobs[0].type")).isEqualTo("a");
			assertThat(after.at("running_jobs[0].since")).isNotNull();
			assertThat((List<?>) after.at("running_jobs")).hasSize(1);
			assertThat((List<?>) after.at("waiting_jobs")).hasSize(2);
			assertThat(after.at("waiting_jobs[0].since")).isNotNull();
			assertThat(api.get("/ojs/v1/rate-limits").at("items[0].waiting_jobs")).isNull();
		});
	}

	@Test
	void rateLimitsAreListedPageByPage() {
		open((api) -> {
			for (String key : List.of("b", "c", "a")) {
				push(api, "{\"key\":\"%s\",\"throttle\":{\"limit\":1,\"period\":\"PT1H\"}}".formatted(key));
			}
			api.post("/ojs/v1/workers/fetch", "{\"queues\":[\"q\"],\"count\":5}");
			Answer first = api.get("/ojs/v1/rate-limits?limit=2");
			assertThat(first.at("items[0].key")).isEqualTo("a");
			assertThat(first.at("items[0].throttle.next_allowed_at")).isNotNull();
			assertThat((List<?>) first.at("items")).hasSize(2);
			assertThat(first.at("pagination.has_more")).isEqualTo(true);
			Answer second = api.get("/ojs/v1/rate-limits?limit=2&cursor=" + first.text("pagination.next_cursor"));
			assertThat((List<?>) second.at("items")).hasSize(1);
			assertThat(second.at("items[0].key")).isEqualTo("c");
			assertThat(second.at("pagination.has_more")).isEqualTo(false);
		});
	}

}
