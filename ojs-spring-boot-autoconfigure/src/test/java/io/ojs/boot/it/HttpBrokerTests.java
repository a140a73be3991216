package io.ojs.boot.it;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.ojs.internal.process.ThisProcess;
import io.ojs.job.JobRequest;
import io.ojs.test.broker.PrivateRabbitNode;
import io.ojs.test.broker.RabbitBroker;
import io.ojs.test.broker.VirtualHost;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What operators learn over HTTP of the broker and of the connections to it.
 */
class HttpBrokerTests extends BrokerTest {

	private static final String IN_MEMORY = "jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000";

	private static Application.Starter starter(String uri) {
		return Application.on(uri).database(IN_MEMORY.formatted(UUID.randomUUID()), "sa", "").http();
	}

	private static JsonNode broker(Application application) {
		return JsonMapper.shared().readTree(application.get("/ojs/v1/broker").body());
	}

	@Test
	void brokerIsThereWithConnectionsAndDrift() throws Exception {
		client().channel().queueDeclare("ojs.queue.reports", true, false, false, new HashMap<>());
		try (Application application = starter(uri()).property("ojs.queues.reports.type", "quorum").start()) {
			application.ojs().enqueue(JobRequest.of("mail.send"));
			await().untilAsserted(() -> {
				JsonNode broker = broker(application);
				assertThat(broker.get("reachable").asBoolean()).isTrue();
				assertThat(broker.get("problem").isNull()).isTrue();
				assertThat(broker.get("product").asString()).isEqualTo("RabbitMQ");
				assertThat(broker.get("version").asString()).matches("\\d+\\.\\d+\\.\\d+.*");
				assertThat(broker.get("cluster").asString()).contains("@");
				assertThat(broker.get("addresses")).isNotEmpty();
				assertThat(broker.get("connections")).extracting((each) -> each.get("state").asString())
					.containsExactly("open", "open");
				assertThat(broker.at("/topology/drift")).extracting((each) -> each.get("queue").asString())
					.contains("ojs.queue.reports");
				assertThat(broker.at("/processes/0/id").asString()).isEqualTo(application.bean(ThisProcess.class).id());
			});
			String password = uri().replaceAll("amqp://[^:]+:([^@]+)@.*", "$1");
			assertThat(broker(application).toString()).doesNotContain(":" + password + "@");
		}
	}

	private static JsonNode depth(Application application) {
		return JsonMapper.shared().readTree(application.get("/ojs/v1/depths").body()).at("/queues/0");
	}

	@Test
	void managementApiTellsOfUnackedMessages() throws Exception {
		int port = RabbitBroker.shared().managementPort().orElseThrow();
		try (Application application = starter(uri())
			.property("ojs.http.management-url", "http://127.0.0.1:" + port + "/")
			.start()) {
			application.ojs().enqueue(JobRequest.of("mail.send"));
			application.ojs().enqueue(JobRequest.of("mail.send"));
			await().untilAsserted(() -> {
				assertThat(depth(application).at("/unacked").asInt(-1)).isZero();
				assertThat(depth(application).at("/broker/ready").asInt(-1)).isEqualTo(2);
			});
			assertThat(client().channel().basicGet("ojs.queue.default", false)).isNotNull();
			await().untilAsserted(() -> {
				assertThat(depth(application).at("/unacked").asInt(-1)).isEqualTo(1);
				assertThat(depth(application).at("/broker/ready").asInt(-1)).isEqualTo(1);
			});
		}
	}

	@Test
	void managementApiThatDoesNotAnswerLeavesTheRest() {
		try (Application application = starter(uri()).property("ojs.http.management-url", "http://ann:no@127.0.0.1:1")
			.start()) {
			application.ojs().enqueue(JobRequest.of("mail.send"));
			await().untilAsserted(() -> assertThat(depth(application).at("/broker/ready").asInt(-1)).isEqualTo(1));
			assertThat(depth(application).get("unacked").isNull()).isTrue();
		}
	}

	@Test
	void tenantsDoNotSeeIt() {
		try (Application application = starter(uri()).property("ojs.tenancy.enabled", true).start()) {
			assertThat(application.ask("acme", "GET", "/broker", "").statusCode()).isEqualTo(403);
			assertThat(application.get("/ojs/v1/broker").statusCode()).isEqualTo(200);
		}
	}

	/** All callers together ask the broker once in a while. */
	@Test
	void manyCallersGetTheSameReport() {
		try (Application application = starter(uri()).start()) {
			broker(application);
			List<CompletableFuture<String>> answers = IntStream.range(0, 20)
				.mapToObj((i) -> CompletableFuture.supplyAsync(() -> broker(application).get("as_of").asString()))
				.toList();
			assertThat(answers.stream().map(CompletableFuture::join).distinct().count()).isLessThanOrEqualTo(2);
		}
	}

	@Test
	void lostAndBlockedConnectionsSayWhy() {
		try (PrivateRabbitNode node = PrivateRabbitNode.create();
				VirtualHost virtualHost = node.newVirtualHost();
				Application application = starter(virtualHost.uri()).start()) {
			application.ojs().enqueue(JobRequest.of("mail.send"));
			await().until(() -> connection(application, "publishing").get("state").asString().equals("open"));
			node.ctl("set_vm_memory_high_watermark", "0.000001");
			await().untilAsserted(() -> {
				application.ojs().enqueue(JobRequest.of("mail.send"));
				JsonNode publishing = connection(application, "publishing");
				assertThat(publishing.get("state").asString()).isEqualTo("blocked");
				assertThat(publishing.get("reason").asString()).contains("memory");
				assertThat(publishing.get("blocked_since").asString()).endsWith("Z");
			});
			node.ctl("set_vm_memory_high_watermark", "0.6");
			await().until(() -> connection(application, "publishing").get("state").asString().equals("open"));
			node.stop();
			await().untilAsserted(() -> {
				JsonNode broker = broker(application);
				assertThat(broker.get("reachable").asBoolean()).isFalse();
				assertThat(broker.get("problem").asString()).isNotEmpty();
				assertThat(broker.at("/connections/0/state").asString()).isEqualTo("closed");
				assertThat(broker.at("/connections/0/reason").asString()).isNotEmpty();
				assertThat(broker.at("/connections/0/reconnects").asInt()).isPositive();
			});
			await().pollInterval(Duration.ofMillis(2100)).untilAsserted(() -> {
				long began = System.nanoTime();
				broker(application);
				assertThat(Duration.ofNanos(System.nanoTime() - began)).as("it is known")
					.isLessThan(Duration.ofSeconds(1));
			});
			node.start();
			await().until(() -> broker(application).get("reachable").asBoolean());
		}
	}

	private static JsonNode connection(Application application, String name) {
		return broker(application).get("connections")
			.valueStream()
			.filter((each) -> each.get("name").asString().equals(name))
			.findFirst()
			.orElseThrow();
	}

	@Test
	void applicationWithoutABrokerSaysSo() {
		try (Application application = starter("amqp://localhost:1").property("ojs.topology.declaration", "lazy")
			.start()) {
			JsonNode broker = broker(application);
			assertThat(broker.get("reachable").asBoolean()).isFalse();
			assertThat(broker.get("product").isNull()).isTrue();
			assertThat(broker.get("addresses").get(0).asString()).isEqualTo("localhost:1");
		}
	}

}
