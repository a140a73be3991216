package io.ojs.boot;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.ojs.amqp.deadletter.DeadLetterReplayer;
import io.ojs.boot.internal.actuate.DeadLetterReplayOperation;
import io.ojs.test.broker.RabbitBroker;
import io.ojs.test.broker.VirtualHost;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The replay that a management endpoint asks for, on a real broker.
 */
class DeadLetterReplayOperationTests {

	private VirtualHost virtualHost;

	private Connection connection;

	private Channel channel;

	@BeforeEach
	void open() throws Exception {
		this.virtualHost = RabbitBroker.shared().newVirtualHost();
		ConnectionFactory factory = new ConnectionFactory();
		factory.setUri(this.virtualHost.uri());
		this.connection = factory.newConnection();
		this.channel = this.connection.createChannel();
		this.channel.confirmSelect();
		this.channel.exchangeDeclare("ojs.exchange.direct", "direct", true);
		for (String queue : List.of("ojs.queue.email", "ojs.queue.dlx.email")) {
			this.channel.queueDeclare(queue, true, false, false, Map.of("x-queue-type", "quorum"));
		}
		this.channel.queueBind("ojs.queue.email", "ojs.exchange.direct", "email");
		for (int i = 0; i < 3; i++) {
			String id = "019461a8-1a2b-7c3d-8e4f-%012d".formatted(i);
			this.channel.basicPublish("", "ojs.queue.dlx.email", new BasicProperties.Builder().messageId(id)
				.contentType("application/openjobspec+json")
				.headers(Map.of("x-ojs-error-type", (i == 0) ? "a.B" : "c.D", "x-ojs-error-code", "HANDLER_ERROR"))
				.build(),
					"{\"id\":\"%s\",\"type\":\"email.send\",\"args\":[],\"meta\":{\"tenant_id\":\"t%d\"}}"
						.formatted(id, i)
						.getBytes(StandardCharsets.UTF_8));
		}
		this.channel.waitForConfirmsOrDie(10_000);
	}

	@AfterEach
	void close() throws Exception {
		this.connection.close();
		this.virtualHost.close();
	}

	private ApplicationContextRunner runner() {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RabbitAutoConfiguration.class, OjsAutoConfiguration.class,
					OjsAmqpAutoConfiguration.class))
			.withPropertyValues("spring.rabbitmq.addresses=" + this.virtualHost.uri(), "ojs.topology.declaration=none");
	}

	private void ask(Map<String, @Nullable String> parameters, Answers answers) {
		runner().run((context) -> answers
			.check(new DeadLetterReplayOperation(context.getBean(DeadLetterReplayer.class), null)
				.replay(new HashMap<>(parameters))));
	}

	@Test
	void countsOnlyUnlessItIsToldNotTo() throws Exception {
		ask(Map.of("queue", "email", "errorType", "c.*"), (answer) -> {
			assertThat(answer.status()).isEqualTo(200);
			assertThat(answer.body())
				.isEqualTo(Map.of("source", "broker", "queue", "email", "dryRun", true, "end", "done", "lookedAt", 3L,
						"replayed", 2L, "skipped", Map.of("not_matching", 1L), "left", 3L, "kinds", List.of(Map
							.of("type", "email.send", "errorType", "c.D", "errorCode", "HANDLER_ERROR", "count", 2L))));
		});
		assertThat(this.channel.messageCount("ojs.queue.email")).isZero();
	}

	@Test
	@Tag("EI-005")
	void replaysTheJobsOfOneTenant() throws Exception {
		ask(Map.of("queue", "email", "tenant", "t1", "dryRun", "false"),
				(answer) -> assertThat(answer.body()).containsEntry("replayed", 1L)
					.containsEntry("skipped", Map.of("not_matching", 2L)));
		assertThat(this.channel.basicGet("ojs.queue.email", true).getProps().getMessageId()).endsWith("1");
	}

	@Test
	void replaysWhenItIsTold() throws Exception {
		ask(Map.of("queue", "email", "dryRun", "false", "max", "1", "rate", "50", "maxAttempts", "9"),
				(answer) -> assertThat(answer.body()).containsEntry("replayed", 1L)
					.containsEntry("end", "max_reached"));
		assertThat(this.channel.basicGet("ojs.queue.email", true).getProps().getHeaders())
			.containsEntry("x-ojs-max-attempts", 9);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			max       | many       | 'max' must be a whole number such as 100, but was 'many'
			max       | 0          | 'max' is not valid. Invalid request: 'limit' must be 1 or more, but was 0
			id        | .*         | 'id' is not valid
			type      | .*         | 'type' is not valid
			errorType | .*         | 'errorType' is not valid
			errorCode | .*         | 'errorCode' is not valid
			stackHash | .*         | 'stackHash' is not valid
			deadBefore | 2026-01-01T00:00:00 | 'deadBefore' must be a point in time with a zone
			rate      | fast       | 'rate' must be a number of jobs a second such as 50, but was 'fast'
			dryRun    | yes        | 'dryRun' must be true or false, but was 'yes'
			deadSince | yesterday  | 'deadSince' must be a point in time with a zone
			priority  | 500        | between -100 and 100
			toQueue   | Upper      | 'toQueue' is not valid. Invalid job: 'queue' must be lower-case letters
			maxAttempts | -1       | 'maxAttempts' is not valid
			color     | red        | no parameter 'color'; those that there are: deadBefore
			""")
	void wrongParameterIsNamedWithItsValueAndTheFix(String name, String value, String message) {
		ask(Map.of("queue", "email", name, value), (answer) -> {
			assertThat(answer.status()).isEqualTo(400);
			assertThat(answer.body().get("error").toString()).contains(message);
		});
	}

	@Test
	void queueIsRequiredAndMustExist() {
		ask(Map.of(), (answer) -> {
			assertThat(answer.status()).isEqualTo(400);
			assertThat(answer.body().get("error").toString()).contains("'queue' is missing");
		});
		ask(Map.of("queue", "Email"), (answer) -> {
			assertThat(answer.status()).isEqualTo(400);
			assertThat(answer.body().get("error").toString()).contains("'queue' is not valid", "lower-case");
		});
		ask(Map.of("queue", "emial"), (answer) -> {
			assertThat(answer.status()).isEqualTo(409);
			assertThat(answer.body().get("error").toString()).contains("ojs.queue.dlx.emial");
		});
	}

	@FunctionalInterface
	private interface Answers {

		void check(DeadLetterReplayOperation.Answer answer);

	}

}
