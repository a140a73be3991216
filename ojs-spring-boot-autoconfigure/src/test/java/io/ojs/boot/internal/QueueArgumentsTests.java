package io.ojs.boot.internal;

import java.util.List;
import java.util.Map;

import io.ojs.amqp.QueueKind;
import io.ojs.amqp.internal.topology.QueueSettings;
import io.ojs.amqp.internal.topology.Topology;
import io.ojs.boot.InvalidConfigurationException;
import io.ojs.boot.OjsAmqpAutoConfiguration;
import io.ojs.boot.OjsAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.MapPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Queue types and arguments that do not go together, and where their layers meet.
 */
class QueueArgumentsTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(OjsAutoConfiguration.class, OjsAmqpAutoConfiguration.class))
		.withBean(ConnectionFactory.class, () -> new CachingConnectionFactory("localhost", 1))
		.withPropertyValues("ojs.topology.declaration=none");

	@Test
	void classicQueueHasNoDeliveryLimit() {
		assertFails("ojs.queues.email.delivery-limit = 5", "make the queue a quorum queue",
				"ojs.queues.email.type=classic", "ojs.queues.email.delivery-limit=5");
		assertFails("ojs.queues.email.delivery-limit = 5", "make the queue a quorum queue",
				"ojs.queue-defaults.type=classic", "ojs.queues.email.delivery-limit=5");
	}

	@Test
	void deliveryLimitOfTheDefaultsIsForTheQueuesThatCanHaveOne() {
		this.runner
			.withPropertyValues("ojs.queue-defaults.delivery-limit=5", "ojs.queues.email.type=classic",
					"ojs.queues.report.prefetch=1")
			.run((context) -> {
				assertThat(settings(context, "email").kind()).isEqualTo(QueueKind.CLASSIC);
				assertThat(settings(context, "report").deliveryLimit()).isEqualTo(5);
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "x-max-priority", "x-queue-mode", "x-queue-version" })
	void argumentThatOnlyClassicQueuesKnowSaysWhichQueueToChange(String argument) {
		assertFails("ojs.queues.email.arguments." + argument + " = 1", "Set ojs.queues.email.type=classic",
				"ojs.queues.email.arguments." + argument + "=1");
		assertFails("ojs.queue-defaults.arguments." + argument + " = 1", "Set ojs.queue-defaults.type=classic",
				"ojs.queue-defaults.arguments." + argument + "=1");
	}

	@Test
	void argumentOfTheDefaultsThatDoesNotFitOneQueueSaysWhichQueueToChange() {
		assertFails("ojs.queue-defaults.arguments.x-max-priority = 10", "Set ojs.queues.email.type=classic",
				"ojs.queue-defaults.type=classic", "ojs.queue-defaults.arguments.x-max-priority=10",
				"ojs.queues.email.type=quorum");
	}

	@ParameterizedTest
	@ValueSource(strings = { "x-queue-type", "x-dead-letter-exchange", "x-dead-letter-routing-key",
			"x-dead-letter-strategy", "x-delivery-limit" })
	void argumentsOfTheLibraryAreNotFree(String argument) {
		assertFails("ojs.queues.email.arguments." + argument + " = x", "Remove it",
				"ojs.queues.email.arguments." + argument + "=x");
		assertFails("ojs.queue-defaults.arguments." + argument + " = x", "Remove it",
				"ojs.queue-defaults.arguments." + argument + "=x");
	}

	@ParameterizedTest
	@ValueSource(strings = { "many", "1.5", "-1", "1e3", "99999999999999999999" })
	void numberIsAWholeNumber(String value) {
		assertFails("ojs.queues.email.arguments.x-max-length = " + value, "Set it to a number",
				"ojs.queues.email.arguments.x-max-length=" + value);
	}

	@Test
	void numberOfAYamlFileIsAWholeNumberToo() {
		this.runner
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new MapPropertySource("yaml", Map.of("ojs.queues.email.arguments.x-max-length", 1.5))))
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOf(InvalidConfigurationException.class)
				.hasMessageContaining("x-max-length = 1.5"));
	}

	@ParameterizedTest
	@CsvSource({ "drop-head, false", "reject-publish-dlx, false", "reject-publish, true" })
	void quorumQueueCanOnlyRejectWhatIsTooMuch(String overflow, boolean possible) {
		this.runner.withPropertyValues("ojs.queues.email.arguments.x-overflow=" + overflow)
			.run((context) -> assertThat(context.getStartupFailure() == null).isEqualTo(possible));
		this.runner
			.withPropertyValues("ojs.queues.email.arguments.x-overflow=" + overflow, "ojs.queues.email.type=classic")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void textBecomesTheNumberOrBooleanThatTheBrokerWants() {
		this.runner
			.withPropertyValues("ojs.queues.email.arguments.x-max-length=1000",
					"ojs.queues.email.arguments.x-single-active-consumer=TRUE",
					"ojs.queues.email.arguments.x-queue-leader-locator=balanced")
			.run((context) -> assertThat(settings(context, "email").arguments()).isEqualTo(Map.of("x-max-length", 1000L,
					"x-single-active-consumer", true, "x-queue-leader-locator", "balanced")));
	}

	@ParameterizedTest
	@CsvSource({ "max-length, 1000, x-max-length", "max-length-bytes, 1MB, x-max-length-bytes",
			"overflow, reject-publish, x-overflow", "message-ttl, 1h, x-message-ttl", "max-priority, 5, x-max-priority",
			"single-active-consumer, true, x-single-active-consumer" })
	void samePropertyAndArgumentAreRefusedWithBothKeys(String property, String value, String argument) {
		for (String key : List.of("ojs.queues.email", "ojs.queue-defaults")) {
			assertFails(key + ".arguments." + argument + " says the same again", "Remove one of the two",
					"ojs.queue-defaults.type=classic", key + "." + property + "=" + value,
					key + ".arguments." + argument + "=1");
			assertFails(key + "." + property + " = ", "Remove one of the two", "ojs.queue-defaults.type=classic",
					key + "." + property + "=" + value, key + ".arguments." + argument + "=1");
		}
	}

	@Test
	void propertiesBecomeArguments() {
		this.runner
			.withPropertyValues("ojs.queues.email.type=classic", "ojs.queues.email.max-length=1000",
					"ojs.queues.email.max-length-bytes=1MB", "ojs.queues.email.overflow=drop-head",
					"ojs.queues.email.message-ttl=90s", "ojs.queues.email.max-priority=9",
					"ojs.queues.email.single-active-consumer=true")
			.run((context) -> {
				assertThat(settings(context, "email").arguments())
					.isEqualTo(Map.of("x-max-length", 1000L, "x-max-length-bytes", 1048576L, "x-overflow", "drop-head",
							"x-message-ttl", 90_000L, "x-max-priority", 9, "x-single-active-consumer", true));
				assertThat(settings(context, "email").isLimited()).isTrue();
				assertThat(settings(context, "other").arguments()).isEmpty();
			});
	}

	@Test
	void propertyOfAQueueWinsOverPropertyAndArgumentOfTheDefaults() {
		this.runner
			.withPropertyValues("ojs.queue-defaults.max-length=1000", "ojs.queues.email.max-length=5",
					"ojs.queue-defaults.arguments.x-message-ttl=5", "ojs.queues.email.message-ttl=7ms",
					"ojs.queues.report.arguments.x-max-length=6")
			.run((context) -> {
				assertThat(settings(context, "email").arguments())
					.isEqualTo(Map.of("x-max-length", 5L, "x-message-ttl", 7L));
				assertThat(settings(context, "report").arguments())
					.isEqualTo(Map.of("x-max-length", 6L, "x-message-ttl", 5L));
			});
	}

	@Test
	void propertyThatOnlyClassicQueuesKnowSaysWhichQueueToChange() {
		assertFails("ojs.queues.email.max-priority = 5", "Set ojs.queues.email.type=classic",
				"ojs.queues.email.max-priority=5");
		assertFails("ojs.queue-defaults.max-priority = 5", "Set ojs.queues.email.type=classic",
				"ojs.queue-defaults.type=classic", "ojs.queue-defaults.max-priority=5", "ojs.queues.email.type=quorum");
		assertFails("ojs.queues.email.overflow = drop-head", "Set it to reject-publish",
				"ojs.queues.email.overflow=drop-head");
		assertFails("ojs.queues.email.overflow = reject-publish-dlx", "ojs.queues.email.type=classic",
				"ojs.queues.email.overflow=reject-publish-dlx");
	}

	@Test
	void argumentOfAQueueWinsOverThatOfTheDefaults() {
		this.runner
			.withPropertyValues("ojs.queue-defaults.arguments.x-max-length=1000",
					"ojs.queues.email.arguments.x-max-length=5")
			.run((context) -> {
				assertThat(settings(context, "email").arguments()).isEqualTo(Map.of("x-max-length", 5L));
				assertThat(settings(context, "other").arguments()).isEqualTo(Map.of("x-max-length", 1000L));
			});
	}

	@Test
	void prefixThatBelongsToTheBrokerIsRefused() {
		assertFails("ojs.prefix = amq", "Choose another prefix", "ojs.prefix=amq");
		assertFails("ojs.prefix = amq.jobs", "Choose another prefix", "ojs.prefix=amq.jobs");
	}

	@ParameterizedTest
	@CsvSource({ "'', ojs.queue.email", "tenant1, tenant1.ojs.queue.email", "tenant1., tenant1.ojs.queue.email" })
	void prefixStandsBeforeEveryNameWithADot(String prefix, String queue) {
		this.runner.withPropertyValues("ojs.prefix=" + prefix)
			.run((context) -> assertThat(context.getBean(Topology.class).naming().jobQueue("email")).isEqualTo(queue));
	}

	@Test
	void connectionsThatAreClosedWithConfirmsOutstandingAreRefused() {
		CachingConnectionFactory factory = new CachingConnectionFactory("localhost", 1);
		factory.setCacheMode(CachingConnectionFactory.CacheMode.CONNECTION);
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(OjsAutoConfiguration.class, OjsAmqpAutoConfiguration.class))
			.withBean(ConnectionFactory.class, () -> factory)
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOf(InvalidConfigurationException.class)
				.hasMessageContaining("spring.rabbitmq.cache.connection.mode"));
	}

	private static QueueSettings settings(ApplicationContext context, String queue) {
		return context.getBean(Topology.class).settings(queue);
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

}
