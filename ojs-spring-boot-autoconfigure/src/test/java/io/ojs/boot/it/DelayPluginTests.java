package io.ojs.boot.it;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import com.rabbitmq.client.GetResponse;
import io.ojs.amqp.BrokerUnavailableException;
import io.ojs.amqp.DeclarationRefusedException;
import io.ojs.client.UnsupportedJobException;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.test.broker.RabbitBroker;
import io.ojs.test.internal.fault.FaultProxy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * {@code ojs.delay.strategy=plugin} on brokers that do not have the plugin: that it is
 * said so, and, with a direct exchange in place of the plugin's, what would be published
 * to it. That exchange does not wait; the plugin itself is not tested.
 */
@Tag("AMQP-017")
@Tag("AMQP-022")
@ExtendWith(OutputCaptureExtension.class)
@Tag("broker-versions")
class DelayPluginTests extends BrokerTest {

	@Test
	void applicationDoesNotStartAndSaysWhatToDo() {
		assertThatThrownBy(() -> plugin().start())
			.satisfies((thrown) -> assertThat(refusalIn(thrown)).hasMessageContaining("ojs.delay.strategy=plugin")
				.hasMessageContaining("RabbitMQ " + RabbitBroker.shared().version())
				.hasMessageContaining("'ojs.exchange.delayed' of type x-delayed-message")
				.hasMessageContaining("rabbitmq_delayed_message_exchange")
				.hasMessageContaining("ojs.delay.strategy=levels"));
	}

	private static Throwable refusalIn(Throwable thrown) {
		Throwable cause = thrown;
		while (cause != null && !(cause instanceof DeclarationRefusedException)) {
			cause = cause.getCause();
		}
		return cause;
	}

	@Test
	void whereItIsFoundOutLateItIsLoggedAndScheduledJobsAreRefusedAndAllElseGoesOn(CapturedOutput output) {
		try (FaultProxy proxy = FaultProxy.to(RabbitBroker.shared())) {
			proxy.refuse();
			try (Application application = plugin(Application.on(proxy.uri(ownVirtualHost()))).start()) {
				proxy.accept();
				await().atMost(Duration.ofSeconds(60)).until(() -> output.getAll().contains("cannot work: RabbitMQ"));
				for (int i = 0; i < 2; i++) {
					await().atMost(Duration.ofSeconds(30))
						.ignoreExceptionsInstanceOf(BrokerUnavailableException.class)
						.untilAsserted(() -> assertThatExceptionOfType(DeclarationRefusedException.class)
							.isThrownBy(() -> application.ojs()
								.enqueue(JobRequest.of("mail.send").scheduledAt(Instant.now().plusSeconds(60))))
							.withMessageContaining("ojs.delay.strategy=levels"));
				}
				Job job = application.ojs().enqueue("mail.fail-once");
				await().atMost(Duration.ofSeconds(30))
					.untilAsserted(
							() -> assertThat(application.events(job.id())).contains("job.retrying", "job.completed"));
				assertThat(client().exists("ojs.queue.retry.mail.250")).as("retries wait in retry queues").isTrue();
			}
		}
	}

	@Test
	@Tag("GUIDE-5-2")
	void jobsAndRetriesArePublishedWithTheirDelay() throws IOException {
		client().channel().exchangeDeclare("ojs.exchange.delayed", "direct", true);
		declareQueue("ojs.queue.mail", "mail");
		client().channel().queueDeclare("captured", true, false, false, null);
		client().channel().queueBind("captured", "ojs.exchange.delayed", "mail");
		// What the application would declare, with another type of exchange.
		try (Application application = plugin().property("ojs.topology.declaration", "none")
			.property("ojs.queues.mail.retry.initial-interval", "1500ms")
			.property("ojs.queues.mail.concurrency", 1)
			.start()) {
			Job job = application.ojs()
				.enqueue(JobRequest.of("mail.send").scheduledAt(Instant.now().plus(Duration.ofDays(49))));
			GetResponse message = client().take("captured");
			assertThat(message.getProps().getMessageId()).isEqualTo(job.id());
			assertThat(message.getEnvelope().getExchange()).isEqualTo("ojs.exchange.delayed");
			assertThat(message.getEnvelope().getRoutingKey()).isEqualTo("mail");
			assertThat((Long) message.getProps().getHeaders().get("x-delay"))
				.isBetween(Duration.ofDays(49).toMillis() - 10_000, Duration.ofDays(49).toMillis());
			Job failing = application.ojs().enqueue("mail.fail-once");
			GetResponse retry = client().take("captured");
			assertThat(retry.getProps().getMessageId()).isEqualTo(failing.id());
			assertThat(retry.getProps().getExpiration()).isNull();
			assertThat(RawClient.headers(retry)).containsEntry("x-delay", "1500").containsEntry("x-ojs-attempt", "2");
			await().until(() -> application.events(failing.id()).contains("job.retrying"));
		}
	}

	private void declareQueue(String name, String key) throws IOException {
		client().channel().exchangeDeclare("ojs.exchange.direct", "direct", true);
		client().channel().queueDeclare(name, true, false, false, null);
		client().channel().queueBind(name, "ojs.exchange.direct", key);
	}

	@Test
	void jobThatIsDueLaterThanThePluginCanCountIsRefused() {
		try (Application application = plugin().property("ojs.topology.declaration", "none").start()) {
			assertThatExceptionOfType(UnsupportedJobException.class)
				.isThrownBy(
						() -> application.ojs()
							.enqueueAll(List
								.of(JobRequest.of("mail.send").scheduledAt(Instant.now().plus(Duration.ofDays(50))))))
				.withMessageContaining("at most 49 days");
		}
	}

	private Application.Starter plugin() {
		return plugin(Application.on(uri()));
	}

	private static Application.Starter plugin(Application.Starter starter) {
		return starter.with(Mails.class).property("ojs.delay.strategy", "plugin");
	}

	static class Mails {

		@OjsJobHandler(value = "mail.send", queue = "mail")
		void send() {
		}

		@OjsJobHandler(value = "mail.fail-once", queue = "mail")
		void failOnce(JobContext context) {
			if (context.attempt() == 1) {
				throw new IllegalStateException("not yet");
			}
		}

	}

}
