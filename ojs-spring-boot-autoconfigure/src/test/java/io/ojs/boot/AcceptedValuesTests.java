package io.ojs.boot;

import java.util.Map;

import io.ojs.amqp.OjsNaming;
import io.ojs.amqp.internal.topology.QueueSettings;
import io.ojs.amqp.internal.topology.Topology;
import io.ojs.client.internal.EncodedJob;
import io.ojs.client.internal.JobFactory;
import io.ojs.handler.OjsJobHandler;
import io.ojs.handler.OjsRetry;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.internal.unique.UniqueKeys;
import io.ojs.job.JobRequest;
import io.ojs.job.UniquePolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.MapPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The last values that are still good: one step further each of them stops the start.
 */
class AcceptedValuesTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(OjsAutoConfiguration.class, OjsAmqpAutoConfiguration.class))
		.withBean(ConnectionFactory.class, () -> new CachingConnectionFactory("localhost", 1))
		.withPropertyValues("ojs.topology.declaration=none");

	@ParameterizedTest
	@ValueSource(strings = { "ojs.max-envelope-size=1KB", "ojs.max-envelope-size=16MB",
			"ojs.unique.secret=sixteen-letters!", "ojs.publisher.confirm-timeout=1ms", "ojs.worker.shutdown-grace=0s",
			"ojs.queues.email.prefetch=1", "ojs.queues.email.prefetch=2000", "ojs.queues.email.concurrency=1",
			"ojs.queues.email.delivery-limit=1", "ojs.queues.email.retry.max-attempts=0",
			"ojs.queues.email.retry.backoff-coefficient=1", "ojs.queues.email.retry.max-interval=1s",
			"ojs.queues.email.retry.initial-interval=1ns", "ojs.queues.email.arguments.x-max-length=0",
			"ojs.queues.[0.a-b].prefetch=1",
			"ojs.prefix=AMQ.a_b:c-1.234567890123456789012345678901234567890123456789" })
	void start(String property) {
		this.runner.withPropertyValues(property).run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(strings = { "ojs.max-envelope-size=1023B", "ojs.max-envelope-size=16777217B",
			"ojs.unique.secret=fifteen-letters", "ojs.publisher.confirm-timeout=0s", "ojs.worker.shutdown-grace=-1ns",
			"ojs.queues.email.prefetch=2001", "ojs.queues.email.retry.backoff-coefficient=0.999999",
			"ojs.queues.email.retry.max-interval=999ms", "ojs.queues.email.arguments.x-max-length=-1",
			"ojs.prefix=1234567890123456789012345678901234567890123456789012345678901" })
	void stepFurtherDoesNot(String property) {
		this.runner.withPropertyValues(property)
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOf(InvalidConfigurationException.class));
	}

	@Test
	void secretMakesTheKeysOfUniqueJobsAndIsShownNowhere() {
		JobRequest request = JobRequest.of("a.b").unique(UniquePolicy.DEFAULT);
		String secret = "a secret of this store";
		this.runner.run((context) -> assertThat(context.getBean(JobFactory.class).create(request).uniqueKey())
			.isEqualTo(new UniqueKeys(null).of(context.getBean(JobFactory.class).create(request).job())));
		this.runner.withPropertyValues("ojs.unique.secret=" + secret).run((context) -> {
			EncodedJob encoded = context.getBean(JobFactory.class).create(request);
			assertThat(encoded.uniqueKey()).isEqualTo(new UniqueKeys(secret).of(encoded.job()))
				.isNotEqualTo(new UniqueKeys(null).of(encoded.job()));
			assertThat(context.getBean(OjsProperties.class)).asString().contains("unique=").doesNotContain(secret);
		});
		this.runner.withPropertyValues("ojs.unique.secret=too short")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.message()
				.doesNotContain("too short"));
	}

	@ParameterizedTest
	@CsvSource({ "binding, ojs.exchange.direct", "guide, ojs.direct", "GUIDE, ojs.direct" })
	void namesAreThoseOfTheChosenDocument(String naming, String exchange) {
		this.runner.withPropertyValues("ojs.naming=" + naming)
			.run((context) -> assertThat(context.getBean(OjsNaming.class).directExchange()).isEqualTo(exchange));
		this.runner.withPropertyValues("ojs.naming=" + naming, "ojs.prefix=one")
			.run((context) -> assertThat(context.getBean(OjsNaming.class).directExchange())
				.isEqualTo("one." + exchange));
	}

	@Test
	void numberOfAYamlFileStaysANumber() {
		this.runner
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new MapPropertySource("yaml", Map.of("ojs.queues.email.arguments.x-max-length", 5))))
			.run((context) -> {
				QueueSettings settings = context.getBean(Topology.class).settings("email");
				assertThat(settings.arguments()).isEqualTo(Map.of("x-max-length", 5));
			});
	}

	@Test
	void handlerMayForbidRetries() {
		this.runner.withBean(Once.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(JobHandlers.class).find("a.once")).get().satisfies((definition) -> {
				assertThat(definition.retry().maxAttempts()).isZero();
				assertThat(definition.retry().backoffCoefficient()).isEqualTo(1.0);
			});
		});
	}

	static class Once {

		@OjsJobHandler(value = "a.once", retry = @OjsRetry(maxAttempts = 0, backoffCoefficient = 1))
		void run() {
		}

	}

}
