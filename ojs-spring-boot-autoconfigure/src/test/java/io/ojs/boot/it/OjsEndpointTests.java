package io.ojs.boot.it;

import java.net.http.HttpResponse;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

import io.ojs.amqp.internal.topology.TopologyDeclarer;
import io.ojs.handler.JobFailedException;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What an operator reads at {@code /actuator/ojs}, of an application with jobs that run,
 * wait and failed, and a queue that somebody else declared.
 */
class OjsEndpointTests extends BrokerTest {

	private Application application;

	@BeforeEach
	void startApplication() throws Exception {
		Map<String, Object> arguments = new HashMap<>(Map.of("x-queue-type", "quorum", "x-dead-letter-exchange",
				"elsewhere", "x-dead-letter-routing-key", "reports", "x-dead-letter-strategy", "at-least-once",
				"x-overflow", "reject-publish", "x-delivery-limit", 20));
		client().channel().queueDeclare("ojs.queue.reports", true, false, false, arguments);
		this.application = application(Mails.class).managed()
			.property("ojs.queues.mail.concurrency", 2)
			.property("ojs.queues.mail.prefetch", 3)
			.property("ojs.queues.mail.retry.initial-interval", "200s")
			.property("ojs.queues.reports.type", "quorum")
			.property("management.endpoint.health.show-details", "always")
			.start();
	}

	@AfterEach
	void stopApplication() {
		this.application.bean(Mails.class).release.countDown();
		this.application.close();
	}

	@Test
	void connectionsAreThereWithTheBrokerAndWithoutCredentials() {
		this.application.ojs().enqueue(JobRequest.of("mail.send").queue("reports"));
		JsonNode broker = get("").get("broker");
		assertThat(broker.get("reachable").asBoolean()).isTrue();
		assertThat(broker.hasNonNull("problem")).isFalse();
		assertThat(broker.get("connections")).hasSize(2).allSatisfy((connection) -> {
			assertThat(connection.get("up").asBoolean()).isTrue();
			assertThat(connection.get("reconnections").asInt()).isZero();
			assertThat(Instant.parse(connection.get("since").asString())).isBefore(Instant.now());
		});
		assertThat(broker.get("connections").get(0).get("name").asString()).isEqualTo("consuming");
		assertThat(broker.get("open")).hasSize(2).allSatisfy((connection) -> {
			assertThat(connection.get("product").asString()).isEqualTo("RabbitMQ");
			assertThat(connection.get("version").asString()).matches("\\d+\\.\\d+\\.\\d+.*");
			assertThat(Instant.parse(connection.get("since").asString())).isBefore(Instant.now());
			assertThat(connection.get("virtualHost").asString()).isEqualTo(virtualHost());
		});
		assertThat(broker.get("channels").asInt()).isGreaterThanOrEqualTo(3);
		String password = uri().replaceAll("amqp://[^:]+:([^@]+)@.*", "$1");
		assertThat(this.application.get("/actuator/ojs").body()).doesNotContain(":" + password + "@");
	}

	@Test
	void queueTellsWhoWorksItWhatRunsAndWhatWaits() {
		Job slow = this.application.ojs().enqueue("mail.slow");
		await().untilAsserted(() -> {
			JsonNode queue = find(get("").get("queues"), "name", "mail");
			assertThat(queue.get("amqpQueue").asString()).isEqualTo("ojs.queue.mail");
			assertThat(queue.get("kind").asString()).isEqualTo("quorum");
			assertThat(queue.get("consumers").asInt()).isEqualTo(2);
			assertThat(queue.get("messages").asInt()).isZero();
			JsonNode worker = queue.get("worker");
			assertThat(worker.get("types").toString()).isEqualTo("[\"mail.broken\",\"mail.dead\",\"mail.slow\"]");
			assertThat(worker.get("concurrency").asInt()).isEqualTo(2);
			assertThat(worker.get("prefetch").asInt()).isEqualTo(3);
			assertThat(worker.get("consumers").asInt()).isEqualTo(2);
			JsonNode running = worker.get("running");
			assertThat(running).hasSize(1);
			assertThat(running.get(0).get("id").asString()).isEqualTo(slow.id());
			assertThat(running.get(0).get("type").asString()).isEqualTo("mail.slow");
			assertThat(running.get(0).get("attempt").asInt()).isEqualTo(1);
		});
		this.application.bean(Mails.class).release.countDown();
		await().untilAsserted(
				() -> assertThat(find(get("").get("queues"), "name", "mail").get("worker").get("running")).isEmpty());
	}

	@Test
	@Tag("GUIDE-7-3")
	void retryQueuesDelayLevelsAndDeadLettersTellHowManyThereAre() {
		this.application.ojs().enqueue("mail.broken");
		this.application.ojs().enqueue("mail.dead");
		this.application.ojs().enqueue(JobRequest.of("mail.slow").scheduledAt(Instant.now().plus(2, ChronoUnit.HOURS)));
		await().untilAsserted(() -> {
			JsonNode report = get("");
			assertThat(report.get("retryQueues")).hasSize(1);
			JsonNode width = report.get("retryQueues").get(0);
			assertThat(width.get("queue").asString()).isEqualTo("mail");
			assertThat(width.get("amqpQueue").asString()).startsWith("ojs.queue.retry.mail.");
			assertThat(width.get("delay").asString()).startsWith("PT");
			assertThat(width.get("messages").asInt()).isEqualTo(1);
			JsonNode level = find(report.get("delayLevels"), "amqpQueue", "ojs.queue.delay.12");
			assertThat(level.get("messages").asInt()).isEqualTo(1);
			assertThat(level.get("delay").asString()).isEqualTo("PT1H8M16S");
			assertThat(find(report.get("deadLetters"), "queue", "mail").get("messages").asInt()).isEqualTo(1);
			assertThat(find(report.get("deadLetters"), "queue", "reports").get("messages").asInt()).isZero();
		});
	}

	@Test
	void queueThatExistsWithOtherArgumentsTellsBothValues() {
		JsonNode drift = get("").get("drift");
		assertThat(drift).hasSize(1);
		assertThat(drift.get(0).get("name").asString()).isEqualTo("ojs.queue.reports");
		assertThat(drift.get(0).get("argument").asString()).isEqualTo("x-dead-letter-exchange");
		assertThat(drift.get(0).get("wanted").asString()).isEqualTo("ojs.exchange.dlx");
		assertThat(drift.get(0).get("present").asString()).isEqualTo("elsewhere");
		assertThat(drift.get(0).get("answer").asString()).contains("PRECONDITION_FAILED");
		assertThat(get("/reports").get("drift")).hasSize(1);
		assertThat(get("/mail").get("drift")).isEmpty();
		// A detail, not a failure.
		JsonNode health = health();
		assertThat(health.get("status").asString()).isEqualTo("UP");
		assertThat(health.get("details").get("drift").asInt()).isEqualTo(1);
	}

	@Test
	void driftIsGoneWhenTheQueueIsDeclaredAsWanted() throws Exception {
		client().channel().queueDelete("ojs.queue.reports");
		this.application.bean(TopologyDeclarer.class).forget();
		this.application.ojs().enqueue(JobRequest.of("report.render").queue("reports"));
		assertThat(get("").get("drift")).isEmpty();
		assertThat(get("/reports").get("queues").get(0).get("messages").asInt()).isEqualTo(1);
	}

	@Test
	void oneQueueCanBeLookedAtInDetail() {
		JsonNode mail = get("/mail");
		assertThat(mail.get("name").asString()).isEqualTo("mail");
		assertThat(mail.get("queues")).hasSize(1);
		assertThat(mail.get("queues").get(0).get("amqpQueue").asString()).isEqualTo("ojs.queue.mail");
		assertThat(mail.get("retry").get("maxAttempts").asInt()).isEqualTo(3);
		assertThat(mail.get("deadLetters")).hasSize(1);
		assertThat(this.application.get("/actuator/ojs/nobody").statusCode()).isEqualTo(404);
	}

	@Test
	void queueThatIsGoneHasNoNumbersAndTheOthersHave() throws Exception {
		client().channel().queueDelete("ojs.queue.reports");
		JsonNode report = get("");
		assertThat(report.get("broker").get("reachable").asBoolean()).isTrue();
		assertThat(find(report.get("queues"), "name", "reports").hasNonNull("messages")).isFalse();
		assertThat(find(report.get("queues"), "name", "mail").get("messages").asInt()).isZero();
	}

	@Test
	void deadLettersAreReplayedWhenThatIsAskedForAndCountedOtherwise() {
		Job dead = this.application.ojs().enqueue("mail.dead");
		await().until(() -> this.application.events(dead.id()).contains("job.dead_lettered"));
		JsonNode counted = post("/mail", "{\"type\":\"mail.*\"}", 200);
		assertThat(counted.get("dryRun").asBoolean()).isTrue();
		assertThat(counted.get("replayed").asInt()).isEqualTo(1);
		assertThat(this.application.worked(dead.id())).containsExactly("job.started", "job.failed",
				"job.dead_lettered");
		JsonNode other = post("/mail", "{\"dryRun\":\"false\",\"type\":\"other.*\"}", 200);
		assertThat(other.get("skipped").get("not_matching").asInt()).isEqualTo(1);
		JsonNode replayed = post("/mail", "{\"dryRun\":\"false\",\"rate\":\"10\"}", 200);
		assertThat(replayed.get("replayed").asInt()).isEqualTo(1);
		await().untilAsserted(() -> assertThat(this.application.worked(dead.id())).containsExactly("job.started",
				"job.failed", "job.dead_lettered", "job.started", "job.failed", "job.dead_lettered"));
		assertThat(post("/mail", "{\"rate\":\"fast\"}", 400).get("error").asString()).contains("rate", "fast");
	}

	@Test
	@Tag("EI-005")
	void deadLettersOfOneTenantAreReplayedAlone() {
		Job acmes = this.application.ojs().enqueue(JobRequest.of("mail.dead").meta("tenant_id", "acme"));
		Job rivals = this.application.ojs().enqueue(JobRequest.of("mail.dead").meta("tenant_id", "rival"));
		await().until(() -> client().count("ojs.queue.dlx.mail") == 2);
		JsonNode replayed = post("/mail", "{\"tenant\":\"acme\",\"dryRun\":\"false\"}", 200);
		assertThat(replayed.get("replayed").asInt()).isEqualTo(1);
		assertThat(replayed.get("skipped").get("not_matching").asInt()).isEqualTo(1);
		await().untilAsserted(() -> assertThat(this.application.worked(acmes.id())).containsExactly("job.started",
				"job.failed", "job.dead_lettered", "job.started", "job.failed", "job.dead_lettered"));
		assertThat(this.application.worked(rivals.id())).containsExactly("job.started", "job.failed",
				"job.dead_lettered");
	}

	@Test
	void healthTellsOfQueuesAndConsumers() {
		JsonNode health = health();
		assertThat(health.get("status").asString()).isEqualTo("UP");
		assertThat(health.get("details").get("consumers").get("ojs.queue.mail").asInt()).isEqualTo(2);
		assertThat(health.get("details").get("queues").toString()).isEqualTo("[\"mail\"]");
		assertThat(health.get("details").get("consuming").get("up").asBoolean()).isTrue();
	}

	private JsonNode get(String path) {
		HttpResponse<String> response = this.application.get("/actuator/ojs" + path);
		assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
		return JsonMapper.shared().readTree(response.body());
	}

	private JsonNode post(String path, String body, int status) {
		HttpResponse<String> response = this.application.post("/actuator/ojs" + path, body);
		assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
		return JsonMapper.shared().readTree(response.body());
	}

	private JsonNode health() {
		return JsonMapper.shared().readTree(this.application.get("/actuator/health/ojs").body());
	}

	private static JsonNode find(JsonNode list, String key, String value) {
		for (JsonNode each : list) {
			if (each.path(key).asString("").equals(value)) {
				return each;
			}
		}
		throw new AssertionError("No " + key + " " + value + " in " + list);
	}

	static class Mails {

		private final CountDownLatch release = new CountDownLatch(1);

		@OjsJobHandler(value = "mail.slow", queue = "mail")
		void slow() throws InterruptedException {
			this.release.await();
		}

		@OjsJobHandler(value = "mail.broken", queue = "mail")
		void broken() {
			throw new IllegalStateException("no luck");
		}

		@OjsJobHandler(value = "mail.dead", queue = "mail")
		void dead() {
			throw JobFailedException.deadLetter("HOPELESS", "nothing helps");
		}

	}

}
