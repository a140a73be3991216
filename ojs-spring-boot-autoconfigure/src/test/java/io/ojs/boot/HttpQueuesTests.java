package io.ojs.boot;

import java.util.List;
import java.util.Map;

import io.ojs.boot.HttpApi.Answer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Queues over HTTP (OJS Queue Configuration §9, OJS HTTP Binding §11, OJS Admin API §6).
 */
class HttpQueuesTests {

	@RegisterExtension
	static final HttpApi.Kept kept = new HttpApi.Kept();

	private static String job(String queue) {
		return "{\"type\":\"a\",\"args\":[],\"options\":{\"queue\":\"%s\"}}".formatted(queue);
	}

	@Test
	@Tag("QC-5.2-2")
	@Tag("QC-9.1-1")
	@Tag("QC-11.1-2")
	@Tag("QC-11.2-1")
	void queueIsCreatedConfiguredAndDeleted() {
		HttpApi.open((api) -> {
			Answer created = api.post("/ojs/v1/queues",
					"{\"name\":\"payments\",\"config\":{\"max_size\":7,\"retention\":{\"completed\":\"P3D\"}}}");
			assertThat(created.status()).isEqualTo(201);
			assertThat(created.at("name")).isEqualTo("payments");
			assertThat(created.at("state")).isEqualTo("active");
			assertThat(created.at("config.max_size")).isEqualTo(7);
			assertThat(created.at("config.retention.completed")).isEqualTo("P3D");
			assertThat(created.at("config.retention.cancelled")).isEqualTo("P7D");
			assertThat(api.post("/ojs/v1/queues", "{\"name\":\"payments\"}").status()).isEqualTo(409);
			Answer changed = api.put("/ojs/v1/queues/payments/config", "{\"max_size\":8}");
			assertThat(changed.status()).isEqualTo(200);
			assertThat(changed.at("config.max_size")).isEqualTo(8);
			assertThat(changed.at("config.retention.completed")).isEqualTo("P3D");
			Answer found = api.get("/ojs/v1/queues/payments");
			assertThat(found.at("config")).isEqualTo(changed.at("config"));
			assertThat(found.at("stats.depth")).isEqualTo(0);
			Answer deleted = api.send("DELETE", "/ojs/v1/queues/payments", "{\"strategy\":\"discard\"}",
					Map.of("Content-Type", "application/json"));
			assertThat(deleted.status()).isEqualTo(202);
			assertThat(deleted.at("state")).isEqualTo("draining");
		});
	}

	@Test
	void eachLayerOfTheConfigurationIsShown() {
		HttpApi.open((api) -> {
			api.put("/ojs/v1/queues/mail/config", "{\"concurrency\":4}");
			api.put("/ojs/v1/queues/_default/config", "{\"max_size\":9}");
			Answer answer = api.get("/ojs/v1/queues/mail/config/layers");
			List<String> names = List.of("queue", "queue_properties", "default_policy", "default_properties",
					"library");
			for (int i = 0; i < names.size(); i++) {
				assertThat(answer.at("layers[" + i + "].layer")).isEqualTo(names.get(i));
			}
			assertThat(answer.at("layers[0].config")).isEqualTo(Map.of("concurrency", 4));
			assertThat(answer.at("layers[1].config")).isEqualTo(Map.of("concurrency", 2, "default_timeout", 60));
			assertThat(answer.at("layers[2].config")).isEqualTo(Map.of("max_size", 9));
			assertThat(answer.at("layers[3].config.dead_letter_max_size")).isEqualTo(5);
			assertThat(answer.at("layers[4].config.retention.completed")).isEqualTo("P7D");
			assertThat(api.get("/ojs/v1/queues/none/config/layers").status()).isEqualTo(404);
		}, "ojs.queues.mail.concurrency=2", "ojs.queues.mail.timeout=60s",
				"ojs.queue-defaults.dead-letters.max-size=5");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			value = { "{}|name", "{\"name\":\"A\"}|name", "{\"name\":\"a\",\"config\":{\"max_size\":-1}}|max_size",
					"{\"name\":\"a\",\"x\":1}|x", "{\"name\":\"a\",\"config\":{\"max_sise\":1}}|max_sise" })
	void configurationThatIsWrongIsRefused(String body, String field) {
		HttpApi api = kept.api();
		Answer refused = api.post("/ojs/v1/queues", body);
		assertThat(refused.status()).isEqualTo(400);
		assertThat(refused.text("error.message")).contains("'" + field + "'");
	}

	@Test
	@Tag("QC-5.3-1")
	void queueWithJobsIsOnlyDeletedWithAWayOutForThem() {
		HttpApi.open((api) -> {
			api.post("/ojs/v1/jobs", job("old"));
			assertThat(api.delete("/ojs/v1/queues/old").status()).isEqualTo(400);
			assertThat(api.delete("/ojs/v1/queues/old").text("error.message")).contains("'strategy'",
					"reject, discard or move");
			assertThat(api.delete("/ojs/v1/queues/old?strategy=reject").status()).isEqualTo(409);
			assertThat(api.delete("/ojs/v1/queues/old?strategy=move").status()).isEqualTo(400);
			Answer moved = api.delete("/ojs/v1/queues/old?strategy=move&target_queue=new");
			assertThat(moved.status()).isEqualTo(202);
			assertThat(moved.at("jobs_affected")).isEqualTo(1);
			assertThat(moved.at("target_queue")).isEqualTo("new");
			assertThat(api.get("/ojs/v1/queues/new/stats").at("queue.available")).isEqualTo(1);
		});
	}

	@Test
	@Tag("QC-6.5-1")
	@Tag("QC-11.3-3")
	void jobThatTheQueueDoesNotTakeIsRefused() {
		HttpApi.open((api) -> {
			api.put("/ojs/v1/queues/q/config", "{\"allowed_job_types\":[\"mail.*\"]}");
			Answer type = api.post("/ojs/v1/jobs", job("q"));
			assertThat(type.status()).isEqualTo(422);
			assertThat(type.at("error.details.field")).isEqualTo("type");
			assertThat(type.at("error.details.queue")).isEqualTo("q");
			api.put("/ojs/v1/queues/p/config", "{\"producers\":[\"somebody-else\"]}");
			Answer producer = api.post("/ojs/v1/jobs", job("p"));
			assertThat(producer.status()).isEqualTo(403);
			assertThat(producer.at("error.details.queue")).isEqualTo("p");
			assertThat(api.get("/ojs/v1/admin/jobs").at("pagination.total")).isEqualTo(0);
		});
	}

	@Test
	void adminQueuesAreListedPageByPage() {
		HttpApi.open((api) -> {
			for (String name : List.of("a", "b", "c")) {
				api.post("/ojs/v1/jobs", job(name));
			}
			Answer second = api.get("/ojs/v1/admin/queues?per_page=2&page=2");
			assertThat((List<?>) second.at("items")).hasSize(1);
			assertThat(second.at("items[0].name")).isEqualTo("c");
			assertThat(second.at("items[0].counts.available")).isEqualTo(1);
			assertThat(second.at("pagination.total")).isEqualTo(3);
		});
	}

	@Test
	void queueIsPausedAndResumedBeforeItHadAJob() {
		HttpApi.open((api) -> {
			Answer paused = api.post("/ojs/v1/queues/q/pause", "{}");
			assertThat(paused.status()).isEqualTo(200);
			assertThat(paused.at("queue.name")).isEqualTo("q");
			assertThat(paused.at("queue.paused")).isEqualTo(true);
			assertThat(api.post("/ojs/v1/jobs", job("q")).status()).isEqualTo(201);
			assertThat(api.post("/ojs/v1/queues/q/resume", "").at("queue.paused")).isEqualTo(false);
			assertThat(api.post("/ojs/v1/admin/queues/q/pause", "").at("paused")).isEqualTo(true);
			assertThat(api.get("/ojs/v1/queues").at("queues[0].state")).isEqualTo("paused");
		});
	}

	@Test
	void jobsAreCounted() {
		HttpApi.open((api) -> {
			String id = api.post("/ojs/v1/jobs", job("q")).text("job.id");
			api.post("/ojs/v1/jobs", job("q"));
			api.delete("/ojs/v1/jobs/" + id);
			Answer stats = api.get("/ojs/v1/queues/q/stats");
			assertThat(stats.at("queue.available")).isEqualTo(1);
			assertThat(stats.at("queue.cancelled")).isEqualTo(1);
			assertThat(stats.at("queue.completed")).isEqualTo(0);
			assertThat(stats.at("stats.queue")).isEqualTo("q");
			assertThat(stats.at("stats.depth")).isEqualTo(1);
			assertThat(api.get("/ojs/v1/queues/q/stats?view=state").at("queue"))
				.isEqualTo(Map.of("name", "q", "state", "active", "status", "active", "paused", false));
			assertThat(api.get("/ojs/v1/queues/q/stats?view=all").status()).isEqualTo(400);
			assertThat(api.get("/ojs/v1/queues/unknown/stats").status()).isEqualTo(404);
			Answer all = api.get("/ojs/v1/admin/stats");
			assertThat(all.at("jobs.available")).isEqualTo(1);
			assertThat(all.at("jobs.cancelled")).isEqualTo(1);
			assertThat(all.at("queues")).isEqualTo(1);
			Answer queues = api.get("/ojs/v1/admin/queues");
			assertThat(queues.at("items[0].counts.available")).isEqualTo(1);
			assertThat(queues.at("pagination.total")).isEqualTo(1);
		});
	}

	@Test
	void fullQueueRefusesJobs() {
		HttpApi.open((api) -> {
			assertThat(api
				.put("/ojs/v1/admin/queues/q/config", "{\"backpressure\":{\"max_depth\":1,\"strategy\":\"reject\"}}")
				.status()).isEqualTo(200);
			assertThat(api.post("/ojs/v1/jobs", job("q")).status()).isEqualTo(201);
			Answer refused = api.post("/ojs/v1/jobs", job("q"));
			assertThat(refused.status()).isEqualTo(429);
			assertThat(refused.at("error.code")).isEqualTo("QUEUE_FULL");
			assertThat(refused.at("error.retryable")).isEqualTo(true);
			assertThat(refused.header("Retry-After")).isEqualTo("1");
			assertThat(refused.header("X-OJS-Queue-Depth")).isEqualTo("1");
			assertThat(refused.header("X-OJS-Queue-Bound")).isEqualTo("1");
		});
	}

	@Test
	void backpressureThatIsWrongIsRefused() {
		HttpApi.open((api) -> {
			for (String bad : List.of("{\"backpressure\":{\"max_depth\":-1}}",
					"{\"backpressure\":{\"strategy\":\"x\"}}", "{\"backpressure\":{\"warning_threshold\":2}}",
					"{\"backpressure\":{\"depth\":1}}", "{\"backpressure\":7}", "{\"depth\":7}")) {
				assertThat(api.put("/ojs/v1/admin/queues/q/config", bad).status()).as(bad).isEqualTo(400);
			}
		});
	}

	@Test
	@Tag("QC-7.1-1")
	@Tag("QC-9.1-1")
	@Tag("QC-11.2-4")
	void defaultPolicyIsSetForAllQueues() {
		HttpApi.open((api) -> {
			assertThat(api.put("/ojs/v1/queues/_default/config", "{\"max_size\":5}").at("max_size")).isEqualTo(5);
			assertThat(api.get("/ojs/v1/queues/_default/config").at("max_size")).isEqualTo(5);
			api.post("/ojs/v1/queues", "{\"name\":\"q\"}");
			assertThat(api.get("/ojs/v1/queues/q/config").at("max_size")).isEqualTo(5);
		});
	}

	@ParameterizedTest
	@CsvSource({ "limit=0", "limit=201", "limit=x", "offset=-1", "offset=1000001", "cursor=1000001", "cursor=x",
			"limit=1&limit=2", "cursor=1&offset=1" })
	void pageThatIsWrongIsRefused(String query) {
		HttpApi api = kept.api();
		Answer refused = api.get("/ojs/v1/queues?" + query);
		assertThat(refused.status()).isEqualTo(400);
		assertThat(refused.at("error.details.field")).isIn("limit", "offset", "cursor");
	}

	@Test
	@Tag("QC-9.1-1")
	void listIsReadPageByPage() {
		HttpApi.open((api) -> {
			for (String name : List.of("a", "b", "c")) {
				api.post("/ojs/v1/queues", "{\"name\":\"%s\"}".formatted(name));
			}
			Answer first = api.get("/ojs/v1/queues?limit=2");
			assertThat(first.at("queues[1].name")).isEqualTo("b");
			assertThat(first.at("pagination.total")).isEqualTo(3);
			assertThat(first.at("pagination.has_more")).isEqualTo(true);
			Answer second = api.get("/ojs/v1/queues?limit=2&cursor=" + first.text("pagination.next_cursor"));
			assertThat(second.at("queues[0].name")).isEqualTo("c");
			assertThat(second.at("pagination.has_more")).isEqualTo(false);
			assertThat(second.at("pagination.next_cursor")).isNull();
		});
	}

}
