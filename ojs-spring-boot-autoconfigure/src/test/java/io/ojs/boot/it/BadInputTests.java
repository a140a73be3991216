package io.ojs.boot.it;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import io.ojs.amqp.JobListenerContainerCustomizer;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Hundreds of messages that are no jobs, made by chance, published raw: each is dead once
 * and with its reason, no handler has seen it, no consumer has stopped for it, and the
 * good jobs between them ran.
 */
class BadInputTests extends BrokerTest {

	private static final Logger logger = LoggerFactory.getLogger(BadInputTests.class);

	private static final String EXCHANGE = "ojs.exchange.direct";

	private static final int BAD = 510;

	/** After so many bad ones a good one. */
	private static final int EACH = 3;

	private static final int CONCURRENCY = 3;

	private static final long SEED = Long.getLong("ojs.test.seed", System.nanoTime());

	@ParameterizedTest
	@ValueSource(strings = { "quorum", "classic" })
	void everyBadMessageIsDeadWithAReasonAndNothingElseHappens(String type) throws Exception {
		List<HostileMessages.Hostile> bad = new HostileMessages(SEED).next(BAD);
		List<OddMessages.Odd> odd = new OddMessages(SEED).make();
		logger.info("{} bad and {} odd messages; the same ones with -Dojs.test.seed={}", bad.size(), odd.size(), SEED);
		try (Application application = start(type)) {
			Set<String> good = publish(bad, odd);
			Taken taken = application.bean(Taken.class);
			await().atMost(Duration.ofSeconds(60))
				.until(() -> taken.ids.size() + client().count("ojs.queue.dlx.input") >= good.size() + bad.size());
			assertThat(taken.ids).as("what handlers saw").containsExactlyInAnyOrderElementsOf(good);
			assertThat(application.bean(Consumers.class).tags).as("consumers that were ever started")
				.hasSize(CONCURRENCY);
		}
		assertThat(client().count("ojs.queue.input")).isZero();
		assertDead(bad, client().drain("ojs.queue.dlx.input"));
	}

	private Application start(String type) {
		return application(Taken.class, Consumers.class).property("ojs.queues.input.type", type)
			.property("ojs.queues.input.concurrency", CONCURRENCY)
			// Traces are read from headers, too.
			.traced()
			.start();
	}

	/** Publishes all, with good jobs between them, and returns the ids that must run. */
	private Set<String> publish(List<HostileMessages.Hostile> bad, List<OddMessages.Odd> odd) throws Exception {
		Channel channel = client().channel();
		channel.confirmSelect();
		Set<String> good = new LinkedHashSet<>();
		for (int i = 0; i < bad.size(); i++) {
			channel.basicPublish(EXCHANGE, "input", true, bad.get(i).properties(), bad.get(i).body());
			if (i % EACH == 0) {
				String id = "019461a8-900d-7000-8000-%012x".formatted(i);
				channel.basicPublish(EXCHANGE, "input", true, RawClient.properties(id, "any.take").build(),
						RawClient.envelope(id, "any.take", "input", "[" + i + "]"));
				good.add(id);
				channel.waitForConfirmsOrDie(10_000);
			}
		}
		for (OddMessages.Odd message : odd) {
			channel.basicPublish(EXCHANGE, "input", true, message.properties(), message.body());
			good.add(message.id());
		}
		channel.waitForConfirmsOrDie(10_000);
		return good;
	}

	private static void assertDead(List<HostileMessages.Hostile> bad, List<GetResponse> dead) {
		Map<String, GetResponse> byNumber = new HashMap<>();
		dead.forEach((message) -> assertThat(byNumber.put(message.getProps().getClusterId(), message))
			.as(message.getProps().getClusterId() + " is dead twice")
			.isNull());
		for (int i = 0; i < bad.size(); i++) {
			HostileMessages.Hostile expected = bad.get(i);
			String name = "bad-" + i + ", " + expected.kind();
			GetResponse message = byNumber.remove("bad-" + i);
			assertThat(message).as(name).isNotNull();
			assertThat(message.getBody()).as(name).isEqualTo(expected.body());
			Map<String, String> headers = RawClient.headers(message);
			assertThat(headers).as(name).containsEntry("x-ojs-error-code", expected.code());
			assertThat(headers.get("x-ojs-error-message")).as(name).isNotBlank();
			assertThat(headers).as(name).doesNotContainKey("x-death");
		}
		assertThat(byNumber).isEmpty();
	}

	static class Taken {

		private final Queue<String> ids = new ConcurrentLinkedQueue<>();

		@OjsJobHandler(value = "any.take", queue = "input")
		void any(Object argument, JobContext context) {
			this.ids.add(context.job().id());
		}

		@OjsJobHandler(value = "number.take", queue = "input")
		void number(int number, JobContext context) {
			this.ids.add(context.job().id());
		}

	}

	/** Gives each consumer that starts its tag. */
	static class Consumers {

		private final Queue<String> tags = new ConcurrentLinkedQueue<>();

		@Bean
		JobListenerContainerCustomizer countedConsumers() {
			return (queue, container) -> container.setConsumerTagStrategy((name) -> {
				String tag = name + "-" + this.tags.size();
				this.tags.add(tag);
				return tag;
			});
		}

	}

}
