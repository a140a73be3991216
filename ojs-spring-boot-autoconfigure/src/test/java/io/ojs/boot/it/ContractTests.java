package io.ojs.boot.it;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.rabbitmq.client.GetResponse;
import io.ojs.amqp.ExchangeNotFoundException;
import io.ojs.amqp.UnroutableJobException;
import io.ojs.handler.JobFailedException;
import io.ojs.handler.OjsJobHandler;
import io.ojs.internal.json.JsonJobCodec;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * The requirements of AMQP binding §13 that one look at the broker shows, by their ids.
 */
@Tag("broker-versions")
class ContractTests extends BrokerTest {

	@Test
	@Tag("AMQP-001")
	@Tag("AMQP-002")
	void exchangesAreDurableDirectOnesWithTheirNames() {
		try (Application application = application(Letters.class).start()) {
			assertThat(application.bean(Letters.class)).isNotNull();
			assertThat(rows(broker().exchanges(), "name", "type", "durable", "auto_delete")).contains(
					"ojs.exchange.direct\tdirect\ttrue\tfalse", "ojs.exchange.dlx\tdirect\ttrue\tfalse",
					"ojs.exchange.retry\tdirect\ttrue\tfalse");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "quorum", "classic" })
	@Tag("AMQP-003")
	@Tag("AMQP-004")
	@Tag("AMQP-032")
	void jobQueuesAreDurableSharedAndDeadLetterToTheDlx(String type) {
		Application.Starter starter = application(Letters.class);
		try (Application application = (type.equals("quorum") ? starter
				: starter.property("ojs.queues.mail.type", type))
			.start()) {
			assertThat(application.bean(Letters.class)).isNotNull();
			assertThat(rows(broker().queues(), "name", "durable", "auto_delete", "type"))
				.contains("ojs.queue.mail\ttrue\tfalse\t" + type, "ojs.queue.dlx.mail\ttrue\tfalse\t" + type);
			// Another connection does not see an exclusive one.
			assertThat(client().exists("ojs.queue.mail")).isTrue();
			assertThat(rows(broker().queues(), "name", "arguments"))
				.anyMatch((line) -> line.startsWith("ojs.queue.mail\t") && line.contains("\"x-dead-letter-exchange\"")
						&& line.contains("ojs.exchange.dlx") && line.contains("\"x-dead-letter-routing-key\""));
			assertThat(rows(broker().bindings(), "source", "destination", "routing_key"))
				.contains("ojs.exchange.direct\tojs.queue.mail\tmail", "ojs.exchange.dlx\tojs.queue.dlx.mail\tmail");
		}
	}

	@Test
	@Tag("AMQP-005")
	@Tag("AMQP-010")
	@Tag("AMQP-012")
	@Tag("AMQP-013")
	@Tag("GUIDE-2-1")
	void jobIsPublishedToTheDirectExchangeWithItsPropertiesAndAsJson() {
		try (Application application = application().start()) {
			Job job = application.ojs().enqueue(JobRequest.of("mail.send", "grüße", 7).queue("mail"));
			GetResponse message = client().take("ojs.queue.mail");
			assertThat(message.getEnvelope().getExchange()).isEqualTo("ojs.exchange.direct");
			assertThat(message.getEnvelope().getRoutingKey()).isEqualTo("mail");
			assertThat(message.getProps().getContentType()).isEqualTo("application/openjobspec+json");
			assertThat(message.getProps().getDeliveryMode()).isEqualTo(2);
			assertThat(message.getProps().getMessageId()).isEqualTo(job.id());
			assertThat(new String(message.getBody(), StandardCharsets.UTF_8)).contains("\"grüße\",7");
			assertThat(new JsonJobCodec().decode(message.getBody())).isEqualTo(job);
		}
	}

	@Test
	@Tag("AMQP-015")
	@Tag("AMQP-016")
	@Tag("PLAY-2-2")
	@Tag("PLAY-10-2")
	void whatNothingIsBoundForComesBackToItsCaller() throws Exception {
		try (Application application = application().property("ojs.topology.declaration", "none").start()) {
			assertThatExceptionOfType(ExchangeNotFoundException.class)
				.isThrownBy(() -> application.ojs().enqueue(letter("quick")))
				.withMessageContaining("404");
			client().channel().exchangeDeclare("ojs.exchange.direct", "direct", true);
			assertThatExceptionOfType(UnroutableJobException.class)
				.isThrownBy(() -> application.ojs().enqueue(letter("quick")))
				.withMessageContaining("mail");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "quorum", "classic" })
	@Tag("AMQP-017")
	@Tag("GUIDE-2-4")
	@Tag("GUIDE-5-1")
	@Tag("PLAY-4-2")
	@Tag("PLAY-4-3")
	void retriesWaitInARetryQueueThatExpiresBackIntoTheQueueAndAreCounted(String type) {
		try (Application application = application(Letters.class).property("ojs.queues.mail.type", type)
			.property("ojs.queues.mail.retry.initial-interval", "700ms")
			.property("ojs.queues.mail.retry.max-attempts", 2)
			.start()) {
			Job job = application.ojs().enqueue(letter("fail"));
			await().until(() -> application.events(job.id()).contains("job.retrying"));
			GetResponse dead = client().take("ojs.queue.dlx.mail");
			assertThat(RawClient.headers(dead)).containsEntry("x-ojs-attempt", "2")
				.containsEntry("x-ojs-error-message", "no such address");
			assertThat(rows(broker().queues(), "name", "arguments"))
				.anyMatch((line) -> line.startsWith("ojs.queue.retry.mail.750\t") && line.contains("\"x-message-ttl\"")
						&& line.substring(line.indexOf('\t')).contains("750") && line.contains("ojs.exchange.direct"));
			assertThat(rows(broker().bindings(), "source", "destination", "routing_key"))
				.contains("ojs.exchange.retry\tojs.queue.retry.mail.750\tmail.750");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "quorum", "classic" })
	@Tag("AMQP-009")
	@Tag("GUIDE-2-5")
	void jobThatIsDiscardedIsNackedAndTheBrokerMovesItToTheDlx(String type) {
		try (Application application = application(Letters.class).property("ojs.queues.mail.type", type)
			.property("ojs.queues.mail.retry.max-attempts", 1)
			.property("ojs.worker.dead-letters", "nack")
			.start()) {
			Job job = application.ojs().enqueue(letter("fail"));
			GetResponse dead = client().take("ojs.queue.dlx.mail");
			assertThat(dead.getProps().getMessageId()).isEqualTo(job.id());
			assertThat(String.valueOf(dead.getProps().getHeaders().get("x-death"))).contains("reason=rejected");
			assertThat(RawClient.headers(dead)).doesNotContainKey("x-ojs-error-message");
			await().until(() -> application.events(job.id()).contains("job.dead_lettered"));
		}
	}

	@Test
	@Tag("AMQP-009")
	@Tag("GUIDE-2-5")
	void jobThatIsDiscardedComesToTheSamePlaceWithItsReason() {
		try (Application application = application(Letters.class).property("ojs.queues.mail.retry.max-attempts", 1)
			.start()) {
			Job job = application.ojs().enqueue(letter("fail"));
			GetResponse dead = client().take("ojs.queue.dlx.mail");
			assertThat(dead.getProps().getMessageId()).isEqualTo(job.id());
			assertThat(dead.getEnvelope().getExchange()).isEqualTo("ojs.exchange.dlx");
			assertThat(dead.getEnvelope().getRoutingKey()).isEqualTo("mail");
			assertThat(RawClient.headers(dead)).containsEntry("x-ojs-error-message", "no such address");
		}
	}

	private static List<String> rows(List<JsonNode> all, String... columns) {
		return all.stream()
			.map((each) -> Stream.of(columns)
				.map((column) -> each.path(column).isString() ? each.path(column).asString()
						: each.path(column).toString())
				.collect(Collectors.joining("\t")))
			.toList();
	}

	private static JobRequest letter(String kind) {
		return JobRequest.of("mail.send", kind).queue("mail");
	}

	static class Letters {

		@OjsJobHandler(value = "mail.send", queue = "mail")
		void send(String kind) {
			if (kind.equals("fail")) {
				throw JobFailedException.retry("mail.bounced", "no such address");
			}
		}

	}

}
