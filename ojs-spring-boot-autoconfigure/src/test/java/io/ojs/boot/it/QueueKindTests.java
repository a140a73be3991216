package io.ojs.boot.it;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.ShutdownSignalException;
import io.ojs.amqp.internal.topology.TopologyDeclarer;
import io.ojs.boot.OjsAmqpAutoConfiguration;
import io.ojs.boot.OjsAutoConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every combination of what a queue can be: what an application is allowed, this broker
 * declares; what it is refused, this broker refuses, or would take and not keep to.
 */
@Tag("broker-versions")
@Tag("AMQP-003")
@Tag("AMQP-004")
@Tag("AMQP-029")
@Tag("AMQP-030")
@Tag("AMQP-032")
class QueueKindTests extends BrokerTest {

	private static final int PRECONDITION_FAILED = 406;

	@Test
	void applicationIsRefusedWhatTheBrokerRefuses() {
		int allowed = 0;
		int refused = 0;
		for (Map<String, Object> queue : combinations()) {
			String name = "q" + (allowed + refused);
			if (declared(name, queue)) {
				allowed++;
				assertThat(client().exists("ojs.queue." + name)).as("%s", queue).isTrue();
				assertThat(codeFor("ojs.queue." + name, arguments(name, queue))).as("declared as it says: %s", queue)
					.isZero();
			}
			else {
				refused++;
				boolean brokerTakesIt = queue.get("type").equals("quorum") && !queue.containsKey("max-priority");
				if (brokerTakesIt) {
					// It would drop heads and move dead letters at most once.
					assertThat(queue.get("overflow")).isNotEqualTo("reject-publish");
				}
				assertThat(codeFor(name, arguments(name, queue))).as("%s", queue)
					.isEqualTo(brokerTakesIt ? 0 : PRECONDITION_FAILED);
			}
		}
		assertThat(allowed).isEqualTo(2 * 8 + 4 * 8);
		assertThat(refused).isEqualTo(128 - allowed);
	}

	private static List<Map<String, Object>> combinations() {
		List<Map<String, Object>> combinations = new ArrayList<>();
		for (String type : List.of("quorum", "classic")) {
			for (String overflow : List.of("", "reject-publish", "drop-head", "reject-publish-dlx")) {
				for (int bits = 0; bits < 16; bits++) {
					Map<String, Object> queue = new LinkedHashMap<>();
					queue.put("type", type);
					if (!overflow.isEmpty()) {
						queue.put("overflow", overflow);
					}
					if ((bits & 1) != 0) {
						queue.put("max-priority", 9);
					}
					if ((bits & 2) != 0) {
						queue.put("single-active-consumer", true);
					}
					if ((bits & 4) != 0) {
						queue.putAll(Map.of("max-length", 100, "max-length-bytes", 4096, "message-ttl", 60_000));
					}
					if ((bits & 8) != 0) {
						queue.put("delivery-limit", 5);
					}
					combinations.add(queue);
				}
			}
		}
		return combinations;
	}

	/** Whether an application starts with such a queue; if so it has declared it. */
	private boolean declared(String name, Map<String, Object> queue) {
		boolean[] started = new boolean[1];
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(OjsAutoConfiguration.class, OjsAmqpAutoConfiguration.class))
			.withBean(ConnectionFactory.class, this::connections)
			.withPropertyValues(queue.entrySet()
				.stream()
				.map((entry) -> "ojs.queues." + name + "." + entry.getKey() + "=" + entry.getValue())
				.toArray(String[]::new))
			.run((context) -> {
				started[0] = context.getStartupFailure() == null;
				if (started[0]) {
					context.getBean(TopologyDeclarer.class).ensureQueue(name);
				}
			});
		return started[0];
	}

	private ConnectionFactory connections() {
		CachingConnectionFactory connections = new CachingConnectionFactory();
		connections.setUri(uri());
		return connections;
	}

	private static Map<String, Object> arguments(String name, Map<String, Object> queue) {
		Map<String, Object> arguments = new LinkedHashMap<>();
		arguments.put("x-dead-letter-exchange", "ojs.exchange.dlx");
		arguments.put("x-dead-letter-routing-key", name);
		arguments.put("x-overflow", "reject-publish");
		queue.forEach(
				(property, value) -> arguments.put((property.equals("type") ? "x-queue-" : "x-") + property, value));
		if (queue.get("type").equals("quorum")) {
			arguments.put("x-dead-letter-strategy", "at-least-once");
			arguments.putIfAbsent("x-delivery-limit", 20);
		}
		return arguments;
	}

	/** What the broker answers, 0 if it is content. */
	private int codeFor(String name, Map<String, Object> arguments) {
		try {
			client().channel().queueDeclare(name, true, false, false, arguments);
			return 0;
		}
		catch (IOException ex) {
			return ((AMQP.Channel.Close) ((ShutdownSignalException) ex.getCause()).getReason()).getReplyCode();
		}
	}

}
