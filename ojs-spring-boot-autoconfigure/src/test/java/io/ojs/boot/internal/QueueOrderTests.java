package io.ojs.boot.internal;

import io.ojs.amqp.Ordering;
import io.ojs.amqp.internal.topology.QueueSettings;
import io.ojs.amqp.internal.topology.Topology;
import io.ojs.boot.OjsAmqpAutoConfiguration;
import io.ojs.boot.OjsAutoConfiguration;
import io.ojs.handler.OjsJobHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What does not go together with an order is refused by name.
 */
class QueueOrderTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(OjsAutoConfiguration.class, OjsAmqpAutoConfiguration.class))
		.withBean(ConnectionFactory.class, () -> new CachingConnectionFactory("localhost", 1))
		.withPropertyValues("ojs.topology.declaration=none");

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "ojs.queues.email.concurrency|5|ojs.queues.email.ordering={o} runs one job at a time",
					"ojs.queues.email.prefetch|10|ojs.queues.email.ordering={o} runs one job at a time",
					"ojs.queues.email.single-active-consumer|false|several processes work at once",
					"ojs.queues.email.arguments.x-single-active-consumer|false|several processes work at once",
					"ojs.queue-defaults.single-active-consumer|false|several processes work at once",
					"ojs.queues.email.max-priority|9|let jobs overtake",
					"ojs.queues.email.arguments.x-max-priority|9|let jobs overtake" })
	void settingThatBreaksTheOrderIsRefused(String key, String value, String problem) {
		for (String ordering : new String[] { "strict", "key" }) {
			assertFails(problem.replace("{o}", ordering), "emove", "ojs.queues.email.ordering=" + ordering,
					"ojs.queues.email.type=classic", key + "=" + value);
		}
	}

	@Test
	void orderOfAllQueuesIsNotForThoseThatWantMore() {
		assertFails("ojs.queues.email.concurrency = 5: ojs.queue-defaults.ordering=strict", "remove the ordering",
				"ojs.queue-defaults.ordering=strict", "ojs.queues.email.concurrency=5");
		assertFails("ojs.queue-defaults.prefetch = 7: ojs.queue-defaults.ordering=strict", "remove the ordering",
				"ojs.queue-defaults.ordering=strict", "ojs.queue-defaults.prefetch=7");
		this.runner
			.withPropertyValues("ojs.queue-defaults.ordering=strict", "ojs.queues.email.ordering=none",
					"ojs.queues.email.concurrency=5")
			.run((context) -> {
				Topology topology = context.getBean(Topology.class);
				assertThat(topology.settings("email").concurrency()).isEqualTo(5);
				assertThat(topology.settings("other").ordering()).isEqualTo(Ordering.STRICT);
			});
	}

	@Test
	void defaultsOfOtherQueuesDoNotCountForOneWithAnOrder() {
		this.runner
			.withPropertyValues("ojs.queue-defaults.concurrency=20", "ojs.queue-defaults.prefetch=50",
					"ojs.queues.email.ordering=key", "ojs.queues.email.ordering-shards=3")
			.run((context) -> {
				Topology topology = context.getBean(Topology.class);
				QueueSettings email = topology.settings("email");
				assertThat(email.concurrency()).isEqualTo(1);
				assertThat(email.prefetch()).isEqualTo(1);
				assertThat(topology.shards("email")).extracting((shard) -> shard.name())
					.containsExactly("email_0", "email_1", "email_2");
				assertThat(topology.settings("other").prefetch()).isEqualTo(50);
				assertThat(topology.shards("other")).extracting((shard) -> shard.name()).containsExactly("other");
			});
	}

	@ParameterizedTest
	@ValueSource(ints = { -1, 0, 1, 257 })
	void numberOfShardsHasARange(int shards) {
		assertFails("ojs.queues.email.ordering-shards = " + shards + ": must be between 2 and 256",
				"ojs.queues.email.ordering=strict", "ojs.queues.email.ordering=key",
				"ojs.queues.email.ordering-shards=" + shards);
	}

	@Test
	void onlyAnOrderByKeyHasShards() {
		assertFails("ojs.queues.email.ordering-shards = 4: only ordering=key has shards", "ordering=key",
				"ojs.queues.email.ordering-shards=4");
		assertFails("ojs.queues.email.ordering-shards = 4: ordering=strict has no shards", "ordering=key",
				"ojs.queues.email.ordering=strict", "ojs.queues.email.ordering-shards=4");
	}

	@ParameterizedTest
	@ValueSource(strings = { "strict", "key" })
	void handlerThatWantsMoreIsRefused(String ordering) {
		this.runner.withBean("mails", Mails.class)
			.withPropertyValues("ojs.queues.email.ordering=" + ordering)
			.run((context) -> {
				FailureAnalysis analysis = new OjsFailureAnalyzer().analyze(context.getStartupFailure());
				assertThat(analysis.getDescription()).contains("ojs.queues.email.ordering = " + ordering,
						"bean 'mails'", "a concurrency of 3");
			});
	}

	private void assertFails(String described, String action, String... properties) {
		this.runner.withPropertyValues(properties).run((context) -> {
			assertThat(context).hasFailed();
			FailureAnalysis analysis = new OjsFailureAnalyzer().analyze(context.getStartupFailure());
			assertThat(analysis).isNotNull();
			assertThat(analysis.getDescription()).contains(described);
			assertThat(analysis.getAction()).contains(action);
		});
	}

	static class Mails {

		@OjsJobHandler(value = "email.send", queue = "email", concurrency = 3)
		void send() {
		}

	}

}
