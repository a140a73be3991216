package io.ojs.boot.it;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import com.rabbitmq.client.GetResponse;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.test.broker.RabbitBroker;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A job failed, and the broker does not take what should follow: the retry, the dead
 * letter. The job is held until it does.
 */
class RefusedFollowUpTests extends BrokerTest {

	private static final String ID = "019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f";

	/** All but a retry queue and the way to the dead letter queue. */
	@BeforeEach
	void declareTheQueueAlone() throws Exception {
		for (String exchange : new String[] { "ojs.exchange.direct", "ojs.exchange.dlx", "ojs.exchange.retry" }) {
			client().channel().exchangeDeclare(exchange, "direct", true);
		}
		client().channel().queueDeclare("ojs.queue.failing", true, false, false, forwardingTo("ojs.exchange.dlx"));
		client().channel().queueBind("ojs.queue.failing", "ojs.exchange.direct", "failing");
		client().channel().queueDeclare("ojs.queue.dlx.failing", true, false, false, Map.of("x-queue-type", "quorum"));
	}

	@Test
	@Tag("PLAY-9-2")
	void retryThatTheBrokerRefusesIsHeldUntilItTakesIt() throws Exception {
		declareRetryQueue(250, "x-max-length", 0);
		try (Application application = start(3)) {
			client().publishJob("failing", ID, "fail.first", "[]");
			await().until(() -> application.bean(Failing.class).runs.get() == 1);
			// It is tried again and again meanwhile; the handler is not.
			await().during(Duration.ofSeconds(2)).untilAsserted(() -> {
				assertThat(application.bean(Failing.class).runs).hasValue(1);
				assertThat(application.events(ID)).containsExactly("job.started");
			});
			client().channel().queueDelete("ojs.queue.retry.failing.250");
			declareRetryQueue(250, "x-max-length", 10);
			await().atMost(Duration.ofSeconds(20)).until(() -> application.events(ID).contains("job.completed"));
			assertThat(application.bean(Failing.class).runs).hasValue(2);
		}
	}

	@Test
	void retryTakesAWiderRetryQueueWhereItsOwnIsMissing() throws Exception {
		declareRetryQueue(1000, "x-max-length", 10);
		try (Application application = start(3)) {
			client().publishJob("failing", ID, "fail.first", "[]");
			await().until(() -> application.events(ID).contains("job.completed"));
			assertThat(application.events(ID)).containsExactly("job.started", "job.failed", "job.retrying",
					"job.started", "job.completed");
		}
	}

	@Test
	void retryWithoutAnyRetryQueueIsADeadLetterThatSaysSo() throws Exception {
		client().channel().queueBind("ojs.queue.dlx.failing", "ojs.exchange.dlx", "failing");
		try (Application application = start(3)) {
			client().publishJob("failing", ID, "fail.first", "[]");
			Map<String, String> headers = RawClient.headers(client().take("ojs.queue.dlx.failing"));
			assertThat(headers.get("x-ojs-error-message")).startsWith("no luck").contains("no retry queue", "PT0.2S");
			await()
				.until(() -> application.events(ID).equals(List.of("job.started", "job.failed", "job.dead_lettered")));
		}
	}

	private void declareRetryQueue(int millis, String limit, int value) throws Exception {
		Map<String, Object> arguments = new HashMap<>(Map.of("x-queue-type", "classic", "x-dead-letter-exchange",
				"ojs.exchange.direct", "x-dead-letter-routing-key", "failing", "x-message-ttl", millis, limit, value,
				"x-overflow", "reject-publish"));
		String name = "ojs.queue.retry.failing." + millis;
		client().channel().queueDeclare(name, true, false, false, arguments);
		client().channel().queueBind(name, "ojs.exchange.retry", "failing." + millis);
	}

	@Test
	void jobThatIsHeldGoesBackToItsQueueWhenTheWorkerStops() throws Exception {
		declareRetryQueue(250, "x-max-length", 0);
		try (Application application = start(3)) {
			client().publishJob("failing", ID, "fail.first", "[]");
			await().until(() -> application.bean(Failing.class).runs.get() == 1);
		}
		GetResponse returned = client().take("ojs.queue.failing");
		assertThat(returned.getProps().getMessageId()).isEqualTo(ID);
		assertThat(returned.getEnvelope().isRedeliver()).isTrue();
		assertThat(RawClient.headers(returned)).doesNotContainKeys("x-ojs-attempt", "x-ojs-error-code");
	}

	@Test
	@Tag("AMQP-009")
	void deadLetterThatMayNotBePublishedIsNackedAndMovedByTheBrokerItself() throws Exception {
		client().channel().queueBind("ojs.queue.dlx.failing", "ojs.exchange.dlx", "failing");
		RabbitBroker broker = RabbitBroker.shared();
		// Whoever may not write to the exchange gets 403, and every try costs it a
		// channel.
		broker.ctl("set_permissions", "-p", virtualHost(), broker.username(), ".*", "^(?!ojs\\.exchange\\.dlx).*",
				".*");
		try (Application application = start(1)) {
			client().publishJob("failing", ID, "fail.first", "[]");
			GetResponse dead = client().take("ojs.queue.dlx.failing");
			assertThat(dead.getProps().getMessageId()).isEqualTo(ID);
			assertThat(RawClient.headers(dead).get("x-death")).contains("reason=rejected");
			assertThat(application.bean(Failing.class).runs).hasValue(1);
		}
	}

	private Application start(int maxAttempts) {
		return application(Failing.class).property("ojs.topology.declaration", "none")
			.property("ojs.queues.failing.retry.max-attempts", maxAttempts)
			.start();
	}

	private static Map<String, Object> forwardingTo(String exchange) {
		return new HashMap<>(
				Map.of("x-queue-type", "quorum", "x-dead-letter-exchange", exchange, "x-dead-letter-routing-key",
						"failing", "x-dead-letter-strategy", "at-least-once", "x-overflow", "reject-publish"));
	}

	static class Failing {

		private final AtomicInteger runs = new AtomicInteger();

		@OjsJobHandler(value = "fail.first", queue = "failing")
		void fail(JobContext context) {
			this.runs.incrementAndGet();
			if (context.attempt() == 1) {
				throw new IllegalStateException("no luck");
			}
		}

	}

}
