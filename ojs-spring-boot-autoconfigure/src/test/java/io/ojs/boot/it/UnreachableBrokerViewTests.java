package io.ojs.boot.it;

import java.net.http.HttpResponse;
import java.time.Duration;

import io.ojs.handler.OjsJobHandler;
import io.ojs.test.broker.PrivateRabbitNode;
import io.ojs.test.broker.VirtualHost;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The broker is gone, or there and silent: endpoint and health answer all the same, soon,
 * and say so.
 */
@Tag("broker")
class UnreachableBrokerViewTests {

	/**
	 * The patience of the probe, and much for the rest: connecting alone may take 60 s.
	 */
	private static final Duration SOON = Duration.ofSeconds(20);

	private static PrivateRabbitNode node;

	@BeforeAll
	static void startNode() {
		node = PrivateRabbitNode.create();
	}

	@AfterAll
	static void closeNode() {
		node.close();
	}

	@Test
	void brokerThatIsStoppedIsToldOfUntilItIsBack() {
		try (VirtualHost host = node.newVirtualHost()) {
			try (Application worker = start(host, Numbers.class); Application producer = start(host)) {
				assertUp(worker);
				// Each tries again in its own time.
				await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertUp(producer));
				node.stop();
				for (Application application : new Application[] { worker, producer }) {
					JsonNode broker = soon(application, "/actuator/ojs", 200).get("broker");
					assertThat(broker.get("reachable").asBoolean()).isFalse();
					assertThat(broker.get("problem").asString()).contains("There is no connection to the broker at");
					assertThat(broker.get("connections").get(0).get("lastFailure").asString()).isNotEmpty();
					assertThat(broker.get("connections")).noneMatch((connection) -> connection.get("up").asBoolean());
					assertThat(broker.get("open")).isEmpty();
					JsonNode health = soon(application, "/actuator/health/ojs", 503);
					assertThat(health.get("status").asString()).isEqualTo("DOWN");
					assertThat(health.get("details").get("reasons").toString()).contains("The broker cannot be reached",
							"There is no connection to the broker at");
				}
				JsonNode numbers = soon(worker, "/actuator/ojs/numbers", 200);
				assertThat(numbers.get("queues").get(0).get("worker").get("consumers").asInt()).isZero();
				assertThat(numbers.get("queues").get(0).hasNonNull("messages")).isFalse();
				assertThat(Scrape.of(worker).value("ojs_amqp_connections_active")).isZero();
				assertThat(Scrape.of(worker).value("ojs_amqp_channels_active")).isZero();
				node.start();
				await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertUp(worker));
				// Each tries again in its own time.
				await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertUp(producer));
				assertThat(Scrape.of(worker).value("ojs_amqp_reconnections_total")).isPositive();
			}
		}
	}

	@Test
	void brokerThatDoesNotAnswerIsNotWaitedFor() {
		try (VirtualHost host = node.newVirtualHost()) {
			try (Application application = start(host, Numbers.class)) {
				assertUp(application);
				node.pause();
				try {
					for (int i = 0; i < 4; i++) {
						assertThat(soon(application, "/actuator/health/ojs", 503).get("details").toString())
							.contains("did not answer within PT3S");
					}
					assertThat(soon(application, "/actuator/ojs", 200).get("broker").get("reachable").asBoolean())
						.isFalse();
				}
				finally {
					node.resume();
				}
				await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertUp(application));
			}
		}
	}

	@Test
	void workerWithoutItsQueueIsDown() throws Exception {
		try (VirtualHost host = node.newVirtualHost()) {
			try (Application application = start(host, Numbers.class, "none");
					RawClient client = new RawClient(host.uri())) {
				await().untilAsserted(() -> assertThat(
						soon(application, "/actuator/health/ojs", 503).get("details").get("reasons").toString())
					.contains("ojs.queue.numbers has no consumer"));
				client.channel().queueDeclare("ojs.queue.numbers", true, false, false, null);
				await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertUp(application));
			}
		}
	}

	private static Application start(VirtualHost host, Class<?>... beans) {
		return starter(host).with(beans).start();
	}

	private static Application start(VirtualHost host, Class<?> bean, String declaration) {
		return starter(host).with(bean).property("ojs.topology.declaration", declaration).start();
	}

	private static Application.Starter starter(VirtualHost host) {
		return Application.on(host.uri()).managed().property("management.endpoint.health.show-details", "always");
	}

	private static void assertUp(Application application) {
		HttpResponse<String> health = application.get("/actuator/health/ojs");
		assertThat(health.body()).contains("\"UP\"");
		assertThat(health.statusCode()).isEqualTo(200);
	}

	private static JsonNode soon(Application application, String path, int status) {
		long asked = System.nanoTime();
		HttpResponse<String> response = application.get(path);
		assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(SOON);
		assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
		return JsonMapper.shared().readTree(response.body());
	}

	static class Numbers {

		@OjsJobHandler(value = "number.add", queue = "numbers")
		void add(int number) {
		}

	}

}
