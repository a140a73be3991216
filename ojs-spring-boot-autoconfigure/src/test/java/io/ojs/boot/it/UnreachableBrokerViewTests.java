package io.ojs.boot.it;

import java.net.http.HttpResponse;
import java.time.Duration;

import io.ojs.amqp.internal.observe.ConnectionWatch;
import io.ojs.handler.OjsJobHandler;
import io.ojs.test.broker.RabbitBroker;
import io.ojs.test.internal.fault.Direction;
import io.ojs.test.internal.fault.FaultProxy;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The broker cannot be reached, or is silent: endpoint and health answer all the same,
 * soon, and say so.
 */
class UnreachableBrokerViewTests extends BrokerTest {

	/**
	 * The patience of the probe, and much for the rest: connecting alone may take 60 s.
	 */
	private static final Duration SOON = Duration.ofSeconds(20);

	@Test
	void brokerThatCannotBeReachedIsToldOfUntilItIsBack() {
		try (FaultProxy proxy = FaultProxy.to(RabbitBroker.shared())) {
			String uri = proxy.uri(ownVirtualHost());
			try (Application worker = starter(uri).with(Numbers.class).start();
					Application producer = starter(uri).start()) {
				assertUp(worker);
				// Each tries again in its own time.
				await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertUp(producer));
				proxy.refuse();
				proxy.reset();
				for (Application application : new Application[] { worker, producer }) {
					awaitLoss(application);
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
				proxy.accept();
				await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertUp(worker));
				// Each tries again in its own time.
				await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertUp(producer));
				assertThat(Scrape.of(worker).value("ojs_amqp_reconnections_total")).isPositive();
			}
		}
	}

	/** A reset is noticed a moment later. */
	private static void awaitLoss(Application application) {
		ConnectionWatch watch = application.bean(ConnectionWatch.class);
		await().until(() -> watch.connections().isEmpty() && watch.channels() == 0);
	}

	@Test
	void brokerThatDoesNotAnswerIsNotWaitedFor() {
		try (FaultProxy proxy = FaultProxy.to(RabbitBroker.shared());
				Application application = starter(proxy.uri(ownVirtualHost())).with(Numbers.class).start()) {
			assertUp(application);
			proxy.hang(Direction.BOTH);
			try {
				for (int i = 0; i < 4; i++) {
					assertThat(soon(application, "/actuator/health/ojs", 503).get("details").toString())
						.contains("did not answer within PT3S");
				}
				assertThat(soon(application, "/actuator/ojs", 200).get("broker").get("reachable").asBoolean())
					.isFalse();
			}
			finally {
				proxy.resume();
			}
			await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertUp(application));
		}
	}

	@Test
	void workerWithoutItsQueueIsDown() throws Exception {
		try (Application application = starter(uri()).with(Numbers.class)
			.property("ojs.topology.declaration", "none")
			.start()) {
			await().untilAsserted(() -> assertThat(
					soon(application, "/actuator/health/ojs", 503).get("details").get("reasons").toString())
				.contains("ojs.queue.numbers has no consumer"));
			client().channel().queueDeclare("ojs.queue.numbers", true, false, false, null);
			await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertUp(application));
		}
	}

	private static Application.Starter starter(String uri) {
		return Application.on(uri).managed().property("management.endpoint.health.show-details", "always");
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
