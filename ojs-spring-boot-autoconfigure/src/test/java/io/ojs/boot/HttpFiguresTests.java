package io.ojs.boot;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

import javax.sql.DataSource;

import io.ojs.boot.HttpApi.Answer;
import io.ojs.boot.worker.OjsFetchAutoConfiguration;
import io.ojs.internal.figures.FigureStore;
import io.ojs.internal.stats.MinuteRecorder;
import io.ojs.jdbc.internal.stats.JdbcMinuteStore;
import io.ojs.queue.JobQueue;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.Queues;
import io.ojs.web.internal.ResponseJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Figures over HTTP, of an application with a job store and without a broker.
 */
class HttpFiguresTests {

	private static void open(BiConsumer<HttpApi, AssertableWebApplicationContext> test, String... properties) {
		HttpApi.RUNNER.withConfiguration(AutoConfigurations.of(OjsFetchAutoConfiguration.class))
			.withPropertyValues("ojs.http.allow-anonymous=true")
			.withPropertyValues(properties)
			.run((context) -> {
				if (context.getStartupFailure() != null) {
					throw new AssertionError(context.getStartupFailure());
				}
				test.accept(HttpApi.of(context.getSourceApplicationContext()), context);
			});
	}

	/** Enqueues a job, has it fetched, and reports that it is done or has failed. */
	private static void work(HttpApi api, String tenant, String queue, boolean done) {
		Map<String, String> headers = (tenant != null)
				? Map.of("Content-Type", "application/json", "X-OJS-Tenant", tenant)
				: Map.of("Content-Type", "application/json");
		String id = api
			.send("POST", "/ojs/v1/jobs",
					"{\"type\":\"a.b\",\"args\":[],\"options\":{\"queue\":\"%s\",\"retry\":{\"max_attempts\":1}}}"
						.formatted(queue),
					headers)
			.text("job.id");
		api.send("POST", "/ojs/v1/workers/fetch", "{\"queues\":[\"%s\"],\"worker_id\":\"w\"}".formatted(queue),
				headers);
		String end = done ? "ack" : "nack";
		String error = done ? "" : ",\"error\":{\"message\":\"no\"}";
		Answer ended = api.send("POST", "/ojs/v1/workers/" + end,
				"{\"job_id\":\"%s\",\"worker_id\":\"w\"%s}".formatted(id, error), headers);
		assertThat(ended.status()).as(ended.body()).isEqualTo(200);
	}

	private static void flush(AssertableWebApplicationContext context) {
		context.getBean(MinuteRecorder.class).flush(context.getBean(JdbcMinuteStore.class));
	}

	@Test
	void depthsAreThoseOfTheStore() {
		open((api, context) -> {
			for (String options : List.of("", ",\"pending\":true", ",\"delay_until\":\"+PT1H\"")) {
				assertThat(api
					.post("/ojs/v1/jobs",
							"{\"type\":\"a.b\",\"args\":[],\"options\":{\"queue\":\"mail\"%s}}".formatted(options))
					.status()).isEqualTo(201);
			}
			api.post("/ojs/v1/queues", "{\"name\":\"idle\"}");
			api.post("/ojs/v1/queues/idle/pause", "{}");
			JobQueue changed = context.getBean(Queues.class)
				.configure("idle", QueueConfig.builder().maxSize(5L).build());
			Answer depths = api.get("/ojs/v1/depths");
			assertThat(depths.status()).as(depths.body()).isEqualTo(200);
			assertThat(depths.text("queues[0].name")).isEqualTo("idle");
			assertThat(depths.text("queues[0].state")).isEqualTo("paused");
			assertThat(depths.text("queues[0].paused_at")).isEqualTo(ResponseJson.time(changed.stateSince()))
				.isNotEqualTo(ResponseJson.time(changed.updatedAt()));
			assertThat(depths.text("queues[1].name")).isEqualTo("mail");
			assertThat(depths.text("queues[1].delivery")).isEqualTo("broker");
			assertThat(depths.text("queues[1].waiting")).isEqualTo("1");
			assertThat(depths.text("queues[1].store.available")).isEqualTo("1");
			assertThat(depths.text("queues[1].store.pending")).isEqualTo("1");
			assertThat(depths.text("queues[1].store.scheduled")).isEqualTo("1");
			assertThat(depths.at("queues[1].store.oldest_available_at")).isNotNull();
			assertThat(depths.at("queues[1].broker")).isNull();
			assertThat(depths.at("queues[1].difference")).isNull();
			assertThat(depths.text("queues[1].dead_letters")).isEqualTo("0");
			assertThat(depths.text("outbox.waiting")).isEqualTo("0");
			assertThat(depths.text("counted.complete")).isEqualTo("true");
			assertThat(depths.text("counted.bound")).isEqualTo("100000");
			Answer attention = api.get("/ojs/v1/attention");
			assertThat(attention.text("as_of")).as("shared").isEqualTo(depths.text("as_of"));
			assertThat(attention.at("waiting")).isEqualTo(Map.of("count", 1, "complete", true));
			assertThat(attention.at("dead_letters")).isEqualTo(Map.of("count", 0, "complete", true));
			assertThat(api.get("/ojs/v1/depths").text("as_of")).as("shared").isEqualTo(depths.text("as_of"));
		});
	}

	@Test
	void numbersSayWhetherAllDeadLettersWereCounted() {
		open((api, context) -> {
			new JdbcTemplate(context.getBean(DataSource.class))
				.update("insert into ojs_job (id, type, queue, state, priority, attempt, max_attempts, run, size_bytes, "
						+ "created_at, enqueued_at, ended_at, dead_lettered_at, dead_letter_queue, fetchable, ended_as, envelope) "
						+ "select random_uuid(), 'a.b', 'mail', 'discarded', 0, 1, 1, 1, 2, now(), now(), now(), now(), 'mail', "
						+ "false, 'discarded', '{}' from system_range(1, 10001)");
			Answer attention = api.get("/ojs/v1/attention");
			assertThat(attention.at("dead_letters")).as(attention.body())
				.isEqualTo(Map.of("count", FigureStore.DEAD_BOUND, "complete", false));
			assertThat(attention.at("waiting")).isEqualTo(Map.of("count", 0, "complete", true));
			Answer depths = api.get("/ojs/v1/depths");
			assertThat(depths.text("counted.complete")).isEqualTo("false");
			assertThat(depths.text("counted.dead_letters_complete")).isEqualTo("false");
		});
	}

	@Test
	void statsAreThoseOfAllProcesses() {
		open((api, context) -> {
			work(api, null, "mail", true);
			work(api, null, "mail", true);
			work(api, null, "report", false);
			assertThat((List<?>) api.get("/ojs/v1/stats?step=120").at("series")).as("not written yet").isEmpty();
			flush(context);
			Answer all = api.get("/ojs/v1/stats");
			assertThat(all.text("source")).isEqualTo("store");
			assertThat(all.text("step_seconds")).isEqualTo("60");
			assertThat(all.at("series[0].key")).isNull();
			assertThat(sum(all, 0, "completed")).isEqualTo(2);
			assertThat(sum(all, 0, "discarded")).isEqualTo(1);
			Answer queues = api.get("/ojs/v1/stats?by=queue&step=3600");
			assertThat(queues.text("series[0].key")).isEqualTo("mail");
			assertThat(queues.text("series[1].key")).isEqualTo("report");
			assertThat(sum(queues, 1, "completed")).isZero();
			assertThat(sum(queues, 1, "discarded")).isEqualTo(1);
			assertThat(queues.at("series[0].points[0].run_p95_ms")).isNotNull();
			assertThat(queues.at("series[0].points[0].wait_p50_ms")).isNotNull();
			assertThat(sum(api.get("/ojs/v1/stats?queue=mail&type=a.b"), 0, "completed")).isEqualTo(2);
			assertThat((List<?>) api.get("/ojs/v1/stats?type=x").at("series")).isEmpty();
		});
	}

	private static long sum(Answer answer, int series, String count) {
		List<?> points = (List<?>) answer.at("series[" + series + "].points");
		assertThat(points).as(answer.body()).isNotNull();
		return points.stream().mapToLong((point) -> ((Number) ((Map<?, ?>) point).get(count)).longValue()).sum();
	}

	@Test
	void tenantHasTheNumbersOfItsJobsAlone() {
		open((api, context) -> {
			work(api, "acme", "mail", true);
			work(api, "rival", "mail", true);
			work(api, "rival", "mail", true);
			flush(context);
			Answer own = api.send("GET", "/ojs/v1/stats?by=tenant", null, Map.of("X-OJS-Tenant", "acme"));
			assertThat((List<?>) own.at("series")).hasSize(1);
			assertThat(own.text("series[0].key")).isEqualTo("acme");
			assertThat(sum(own, 0, "completed")).isEqualTo(1);
			assertThat(own.body()).doesNotContain("rival");
			assertThat((List<?>) api.get("/ojs/v1/stats?by=tenant").at("series")).hasSize(2);
			for (String path : List.of("/ojs/v1/depths", "/ojs/v1/attention")) {
				assertThat(api.send("GET", path, null, Map.of("X-OJS-Tenant", "acme")).status()).isEqualTo(403);
			}
		}, "ojs.tenancy.enabled=true", "ojs.tenancy.required=false");
	}

	@Test
	void withoutRowsTheNumbersAreThoseOfThisProcess() {
		open((api, context) -> {
			work(api, null, "mail", true);
			Answer all = api.get("/ojs/v1/stats");
			assertThat(all.text("source")).isEqualTo("process");
			assertThat(sum(all, 0, "completed")).isEqualTo(1);
		}, "ojs.store.retain-minutes=0s");
	}

	@ParameterizedTest
	@CsvSource({ "step=59,step", "step=3601,step", "step=x,step", "by=worker,by", "since=yesterday,since",
			"since=2999-01-01T00:00:00Z,since" })
	void wrongParametersAreRejected(String query, String field) {
		open((api, context) -> {
			Answer answer = api.get("/ojs/v1/stats?" + query);
			assertThat(answer.status()).isEqualTo(400);
			assertThat(answer.text("error.details.field")).isEqualTo(field);
		});
	}

	@Test
	void processWithoutTheApiWritesItsNumbersToo() {
		HttpApi.WITHOUT_API.withPropertyValues("ojs.http.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(MinuteRecorder.class));
		HttpApi.WITHOUT_API.withPropertyValues("ojs.store.retain-minutes=0s", "ojs.http.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(MinuteRecorder.class));
	}

	@ParameterizedTest
	@CsvSource({ "ojs.http.attention.dead-letters=0,true", "ojs.http.attention.dead-letters=999,true",
			"ojs.http.attention.dead-letters=1000,false", "ojs.http.attention.dead-letters=-1,false",
			"ojs.http.attention.dead-letters-within=0s,false", "ojs.http.attention.no-worker=0s,false",
			"ojs.http.attention.outbox-lag=-1s,false", "ojs.http.attention.oldest-available=0s,false",
			"ojs.store.retain-minutes=-1s,false", "ojs.http.management-url=https://rabbit:15672,true",
			"ojs.http.management-url=rabbit:15672,false", "ojs.http.management-url=amqp://rabbit,false" })
	void valuesOutOfRangeStopTheStart(String property, boolean good) {
		HttpApi.RUNNER.withPropertyValues("ojs.http.allow-anonymous=true", property).run((context) -> {
			if (good) {
				assertThat(context).hasNotFailed();
			}
			else {
				assertThat(context.getStartupFailure()).rootCause()
					.isInstanceOf(InvalidConfigurationException.class)
					.hasMessageContaining(property.replaceAll("=.*", ""));
			}
		});
	}

}
