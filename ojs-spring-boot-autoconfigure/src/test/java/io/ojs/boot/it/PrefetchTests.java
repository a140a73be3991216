package io.ojs.boot.it;

import java.util.List;

import io.ojs.handler.OjsJobHandler;
import io.ojs.test.broker.RabbitBroker;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * How many jobs a consumer holds: each its own number, and never one for a whole channel,
 * which RabbitMQ 4.3 refuses.
 */
@Tag("broker-versions")
@Tag("AMQP-007")
class PrefetchTests extends BrokerTest {

	@ParameterizedTest
	@ValueSource(strings = { "quorum", "classic" })
	@Tag("PLAY-3-3")
	@Tag("PLAY-8-4")
	@Tag("PLAY-9-3")
	void prefetchIsThatOfEachConsumer(String type) {
		try (Application application = application(Mails.class).property("ojs.queues.email.type", type)
			.property("ojs.queues.email.concurrency", 2)
			.property("ojs.queues.email.prefetch", 7)
			.start()) {
			await().untilAsserted(() -> assertThat(prefetchCounts()).containsExactly(7, 7));
			if (!RabbitBroker.shared().isAtLeast(4, 0)) {
				// Later ones do not tell; those that refuse it do not let this start. The
				// API
				// knows a channel some time after it is opened.
				await().untilAsserted(() -> assertThat(broker().channels()).isNotEmpty()
					.allSatisfy((channel) -> assertThat(channel.path("global_prefetch_count").asInt(-1)).isZero()));
			}
			String id = application.ojs().enqueue("email.send").id();
			await().untilAsserted(() -> assertThat(application.events(id)).contains("job.completed"));
		}
	}

	private List<Integer> prefetchCounts() {
		return broker().consumers()
			.stream()
			.filter((consumer) -> consumer.at("/queue/name").asString().equals("ojs.queue.email"))
			.map((consumer) -> consumer.path("prefetch_count").asInt())
			.toList();
	}

	static class Mails {

		@OjsJobHandler(value = "email.send", queue = "email")
		void send() {
		}

	}

}
