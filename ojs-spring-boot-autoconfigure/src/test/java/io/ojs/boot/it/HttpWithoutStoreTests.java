package io.ojs.boot.it;

import java.net.http.HttpResponse;

import io.ojs.handler.JobFailedException;
import io.ojs.handler.OjsJobHandler;
import io.ojs.internal.process.ThisProcess;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What operators see and do over HTTP where there is a broker and no job store.
 */
class HttpWithoutStoreTests extends BrokerTest {

	private Application application;

	@BeforeEach
	void start() {
		this.application = application(Mails.class).http()
			.property("ojs.tenancy.enabled", true)
			.property("ojs.tenancy.required", false)
			.property("ojs.queues.mail.retry.max-attempts", 1)
			.property("ojs.queues.other.retry.max-attempts", 1)
			.start();
	}

	@AfterEach
	void stop() {
		this.application.close();
	}

	private JsonNode get(String path) {
		HttpResponse<String> answer = this.application.get("/ojs/v1" + path);
		assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
		return JsonMapper.shared().readTree(answer.body());
	}

	private JsonNode retry(int status, String body) {
		HttpResponse<String> answer = this.application.post("/ojs/v1/dead-letter/retry", body);
		assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
		return JsonMapper.shared().readTree(answer.body());
	}

	@Test
	void deadLettersAreCountedLookedAtAndReplayed() {
		for (int i = 0; i < 3; i++) {
			this.application.ojs().enqueue(JobRequest.of("mail.send").queue("mail"));
		}
		await().until(() -> get("/dead-letter/stats").get("total").asInt() == 3);
		JsonNode stats = get("/dead-letter/stats");
		assertThat(stats.get("source").asString()).isEqualTo("broker");
		assertThat(stats.at("/by_queue/mail").asInt()).isEqualTo(3);
		assertThat(stats.get("by_type")).isEmpty();
		assertThat(stats.has("kinds")).as("no message is touched").isFalse();
		JsonNode looked = get("/dead-letter/stats?look=true&queue=mail");
		assertThat(looked.at("/by_type/mail.send").asInt()).isEqualTo(3);
		assertThat(looked.at("/by_error_type/Bounced").asInt()).isEqualTo(3);
		assertThat(looked.at("/kinds/0/count").asInt()).isEqualTo(3);
		await().until(() -> get("/dead-letter/stats").get("total").asInt() == 3);
		assertThat(retry(400, "{\"confirm\":true}").at("/error/details/field").asString()).isEqualTo("filter.queue");
		retry(400, "{\"filter\":{\"queue\":\"mail\"}}");
		JsonNode none = retry(200, "{\"filter\":{\"queue\":\"mail\",\"type\":\"other\"},\"dry_run\":true}");
		assertThat(none.get("succeeded").asInt()).isZero();
		JsonNode replayed = retry(200, "{\"filter\":{\"queue\":\"mail\",\"error_type\":\"Bounced\"},"
				+ "\"limit\":2,\"confirm\":true,\"overrides\":{\"queue\":\"other\"}}");
		assertThat(replayed.get("succeeded").asInt()).isEqualTo(2);
		assertThat(replayed.get("source").asString()).isEqualTo("broker");
		await().until(() -> get("/dead-letter/stats").get("total").asInt() == 1);
		await().until(() -> client().exists("ojs.queue.other") && client().count("ojs.queue.other") == 2);
		retry(409, "{\"filter\":{\"queue\":\"unknown\"},\"confirm\":true}");
	}

	@Test
	void thisProcessIsTheWorker() {
		JsonNode workers = get("/admin/workers");
		assertThat(workers.at("/summary/running").asInt()).isOne();
		JsonNode own = workers.at("/items/0");
		assertThat(own.get("kind").asString()).isEqualTo("process");
		assertThat(own.get("id").asString()).isEqualTo(this.application.bean(ThisProcess.class).id());
		assertThat(own.get("queues").toString()).isEqualTo("[\"mail\"]");
		assertThat(own.at("/types/0/type").asString()).isEqualTo("mail.send");
		assertThat(get("/admin/workers/" + own.get("id").asString()).get("pid")).isEqualTo(own.get("pid"));
	}

	@Test
	void brokerIsTheBackend() {
		JsonNode health = get("/health");
		assertThat(health.at("/backend/type").asString()).isEqualTo("amqp");
		assertThat(health.get("status").asString()).isEqualTo("ok");
		assertThat(get("/broker").get("reachable").asBoolean()).isTrue();
		assertThat(get("/me").get("features").toString()).contains("broker").doesNotContain("store");
	}

	/** Messages of all tenants share the queues of the broker. */
	@Test
	void tenantsHaveNothingToSeeThere() {
		for (String path : new String[] { "/admin/workers", "/broker", "/dead-letter/stats" }) {
			assertThat(this.application.ask("acme", "GET", path, "").statusCode()).as(path).isEqualTo(403);
		}
		assertThat(this.application
			.ask("acme", "POST", "/dead-letter/retry", "{\"filter\":{\"queue\":\"mail\"},\"confirm\":true}")
			.statusCode()).isEqualTo(403);
		assertThat(this.application.ask("acme", "GET", "/me", "").statusCode()).isEqualTo(200);
	}

	@Test
	void jobsAreNotThere() {
		Job job = this.application.ojs().enqueue(JobRequest.of("mail.other").queue("other"));
		HttpResponse<String> missing = this.application.get("/ojs/v1/jobs/" + job.id());
		assertThat(missing.statusCode()).isEqualTo(404);
		assertThat(missing.body()).contains("no job store");
	}

	static class Mails {

		@OjsJobHandler(value = "mail.send", queue = "mail")
		void send() {
			throw JobFailedException.deadLetter("Bounced", "no luck");
		}

	}

}
