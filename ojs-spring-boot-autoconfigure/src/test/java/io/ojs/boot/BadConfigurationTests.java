package io.ojs.boot;

import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.ojs.amqp.QueueKind;
import io.ojs.amqp.internal.topology.QueueSettings;
import io.ojs.amqp.internal.topology.Topology;
import io.ojs.handler.OjsJobHandler;
import io.ojs.handler.OjsRetry;
import io.ojs.retry.BackoffStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Properties: what good ones do, and that bad ones stop the start with the key, the value
 * and the fix.
 */
class BadConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(OjsAutoConfiguration.class, OjsAmqpAutoConfiguration.class))
		.withBean(ConnectionFactory.class, () -> new CachingConnectionFactory("localhost", 1));

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "ojs.prefix|a b|a b|letters, digits",
			"ojs.max-envelope-size|10B|10B|between 1KB and 16MB",
			"ojs.max-envelope-size|17MB|17825792B|between 1KB and 16MB",
			"ojs.max-received-size|1023KB|1047552B|between ojs.max-envelope-size (1048576B) and 128MB",
			"ojs.max-received-size|129MB|135266304B|between ojs.max-envelope-size (1048576B) and 128MB",
			"ojs.unique.secret|fifteen letters|15 characters|at least 16",
			"ojs.unique.secret|''|0 characters|leave it out", "ojs.publisher.confirm-timeout|0s|PT0S|longer than zero",
			"ojs.publisher.confirm-timeout|soon|soon|not a valid duration",
			"ojs.reconnect.initial-interval|0s|PT0S|longer than zero",
			"ojs.reconnect.max-interval|500ms|PT0.5S|must not be shorter than ojs.reconnect.initial-interval, PT1S",
			"ojs.reconnect.jitter|1.0|1.0|less than 1.0", "ojs.reconnect.jitter|-0.1|-0.1|at least 0.0",
			"ojs.worker.cancel-retention|0s|PT0S|longer than zero", "ojs.queues.email.timeout|0s|PT0S|longer than zero",
			"ojs.queue-defaults.timeout|-1s|PT-1S|longer than zero",
			"ojs.worker.shutdown-grace|-1s|PT-1S|not be negative",
			"ojs.worker.enabled|perhaps|perhaps|Invalid boolean value", "ojs.naming|ours|ours|BINDING",
			"ojs.topology.declaration|sometimes|sometimes|LAZY", "ojs.queue-defaults.concurrency|0|0|must be 1 or more",
			"ojs.queues.email.concurrency|-3|-3|must be 1 or more", "ojs.queues.email.prefetch|0|0|must be 1 or more",
			"ojs.queues.email.prefetch|2001|2001|at most 2000", "ojs.queues.email.delivery-limit|0|0|must be 1 or more",
			"ojs.queues.email.type|stream|stream|QUORUM", "ojs.queues.email.retry.max-attempts|-1|-1|not be negative",
			"ojs.queues.email.retry.initial-interval|0s|PT0S|longer than zero",
			"ojs.queues.email.retry.backoff-coefficient|0.5|0.5|1.0 or more",
			"ojs.queues.email.retry.max-interval|10ms|PT0.01S|must not be shorter than initial-interval (PT1S)",
			"ojs.queues.email.retry.backoff-strategy|wild|wild|EXPONENTIAL",
			"ojs.queues.email.arguments.x-max-priority|10|10|ojs.queues.email.type=classic",
			"ojs.queues.email.arguments.x-queue-type|stream|stream|not free to choose",
			"ojs.queues.email.arguments.x-overflow|drop-head|drop-head|reject-publish",
			"ojs.queues.[dlx.email].concurrency|1|dlx.email|must not begin with 'dlx.'",
			"ojs.queues.[E-Mail].concurrency|1|E-Mail|lower-case letters",
			"ojs.prefix|amq|amq|keeps names that begin with amq.",
			"ojs.queues.email.arguments.x-max-length|abc|abc|whole number", "ojs.queues.email.max-length|0|0|1 or more",
			"ojs.queues.email.max-length|-1|-1|1 or more", "ojs.queues.email.max-length|many|many|Long",
			"ojs.queues.email.max-length-bytes|0B|0B|1B or more", "ojs.queues.email.message-ttl|0s|PT0S|between 1ms",
			"ojs.queues.email.message-ttl|999us|PT0.000999S|between 1ms",
			"ojs.queues.email.message-ttl|3651d|PT87624H|3650d", "ojs.queues.email.overflow|wild|wild|DROP_HEAD",
			"ojs.queue-defaults.max-priority|0|0|between 1 and 10",
			"ojs.queue-defaults.max-priority|11|11|between 1 and 10",
			"ojs.queue-defaults.delivery|hand-over|hand-over|for each queue that other programs work",
			"ojs.queues.email.delivery|hand-over|HAND_OVER|needs a job store",
			"ojs.queues.email.delivery|store|STORE|needs a job store",
			"ojs.queue-defaults.delivery|store|STORE|needs a job store",
			"ojs.queues.email.delivery|by-hand|by-hand|HAND_OVER",
			"ojs.queues.email.single-active-consumer|maybe|maybe|Invalid boolean value" })
	void badValue(String key, String value, String shown, String help) {
		this.runner.withPropertyValues(key + "=" + value).run((context) -> {
			assertThat(context).hasFailed();
			FailureAnalysis analysis = analyze(context.getStartupFailure());
			String text = analysis.getDescription() + " " + analysis.getAction();
			assertThat(text).contains(key.contains("[") ? key.substring(0, key.indexOf('[')) : key)
				.contains(shown)
				.contains(help);
			assertThat(analysis.getAction()).isNotBlank();
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "ojs.quues.email.concurrency|Below ojs there are: enabled, naming, prefix",
					"ojs.queues.email.concurency|Below ojs.queues.email there are: type, delivery-limit",
					"ojs.queues.mail.bulk.prefetch|ojs.queues.[mail.bulk]",
					"ojs.queue-defaults.retry.max-atempts|Below ojs.queue-defaults.retry there are: max-attempts",
					"ojs.worker.grace|Below ojs.worker there are: enabled, shutdown-grace",
					"ojs.worker.enabled.now|Below ojs.worker there are: enabled" })
	void keyThatDoesNotExist(String key, String help) {
		this.runner.withPropertyValues(key + "=7").run((context) -> {
			assertThat(context).hasFailed();
			FailureAnalysis analysis = analyze(context.getStartupFailure());
			assertThat(analysis.getDescription()).startsWith("There is no property " + key + " (value 7");
			assertThat(analysis.getAction()).contains(help);
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "ojs.queues.email.retry|Below ojs.queues.email.retry there are: max-attempts, initial-interval",
					"ojs.queue-defaults.retry|Below ojs.queue-defaults.retry there are: max-attempts",
					"ojs.queues.email|Below ojs.queues.email there are: type", "ojs.queues|ojs.queues.name=",
					"ojs.queues.email.arguments|ojs.queues.email.arguments.name=",
					"ojs.dashboard|Below ojs.dashboard there are: enabled.",
					"ojs.worker|Below ojs.worker there are: enabled",
					"ojs.http.attention|Below ojs.http.attention there are: oldest-available" })
	void valueWhereAGroupBelongs(String key, String help) {
		this.runner.withPropertyValues(key + "=5").run((context) -> {
			assertThat(context).hasFailed();
			FailureAnalysis analysis = analyze(context.getStartupFailure());
			assertThat(analysis.getDescription()).startsWith(key + " = 5: is a group of properties");
			assertThat(analysis.getAction()).contains(help);
		});
		this.runner.withPropertyValues(key + "=").run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void valueBesideTheGroup() {
		this.runner.withPropertyValues("ojs.queues.email.retry=5", "ojs.queues.email.retry.max-interval=1h")
			.run((context) -> assertThat(analyze(context.getStartupFailure()).getDescription())
				.startsWith("ojs.queues.email.retry = 5: is a group of properties"));
	}

	@Test
	void hintAboutQueueNamesWithDotsIsOnlyForThem() {
		this.runner.withPropertyValues("ojs.queues.email.retry.max-atempts=7")
			.run((context) -> assertThat(analyze(context.getStartupFailure()).getAction())
				.startsWith("Check its spelling. Below ojs.queues.email.retry there are: max-attempts")
				.doesNotContain("brackets"));
	}

	/**
	 * The first of all analyzers that has something to say, as when an application
	 * starts.
	 */
	private static FailureAnalysis analyze(Throwable failure) {
		return SpringFactoriesLoader.forDefaultResourceLocation().load(FailureAnalyzer.class, (type, name, ex) -> {
			// Some of Boot's want a bean factory; ours do not.
		})
			.stream()
			.map((analyzer) -> analyzer.analyze(failure))
			.filter((analysis) -> analysis != null)
			.findFirst()
			.orElseThrow();
	}

	@Test
	void handlersRetryThatDoesNotFitItsQueueIsNoticedAtStart() {
		this.runner.withBean("slow", Slow.class).run((context) -> {
			assertThat(context).hasFailed();
			FailureAnalysis analysis = analyze(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains("bean 'slow', method Slow.work", "max_interval", "PT5M");
			assertThat(analysis.getAction()).contains("@OjsRetry", "'slow'");
		});
		this.runner.withBean("slow", Slow.class)
			.withPropertyValues("ojs.queues.slow.retry.max-interval=2h")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void queuesLieOnTheirDefaults() {
		this.runner
			.withPropertyValues("ojs.queue-defaults.prefetch=3", "ojs.queue-defaults.retry.max-attempts=9",
					"ojs.queue-defaults.arguments.x-max-length=100", "ojs.queues.email.concurrency=7",
					"ojs.queues.email.retry.backoff-strategy=linear", "ojs.queues.[mail.bulk].type=classic",
					"ojs.queues.[mail.bulk].arguments.x-max-priority=10",
					"ojs.queues.[mail.bulk].arguments.x-single-active-consumer=true")
			.run((context) -> {
				Topology topology = context.getBean(Topology.class);
				QueueSettings email = topology.settings("email");
				assertThat(email.kind()).isEqualTo(QueueKind.QUORUM);
				assertThat(email.concurrency()).isEqualTo(7);
				assertThat(email.prefetch()).isEqualTo(3);
				assertThat(email.deliveryLimit()).isEqualTo(20);
				assertThat(email.retry().maxAttempts()).isEqualTo(9);
				assertThat(email.retry().backoffStrategy()).isEqualTo(BackoffStrategy.LINEAR);
				assertThat(email.arguments()).isEqualTo(Map.of("x-max-length", 100L));
				QueueSettings bulk = topology.settings("mail.bulk");
				assertThat(bulk.kind()).isEqualTo(QueueKind.CLASSIC);
				assertThat(bulk.arguments())
					.isEqualTo(Map.of("x-max-length", 100L, "x-max-priority", 10L, "x-single-active-consumer", true));
				assertThat(topology.settings("other").concurrency()).isZero();
			});
	}

	@Test
	void everyPropertyHasADescription() throws Exception {
		try (InputStream stream = getClass().getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
			Map<?, ?> metadata = JsonMapper.shared().readValue(stream, Map.class);
			Set<String> names = new TreeSet<>();
			for (Object property : (List<?>) metadata.get("properties")) {
				Map<?, ?> entry = (Map<?, ?>) property;
				names.add((String) entry.get("name"));
				assertThat((String) entry.get("description")).as("%s", entry.get("name")).isNotBlank();
			}
			assertThat(names).contains("ojs.enabled", "ojs.naming", "ojs.prefix", "ojs.max-envelope-size",
					"ojs.topology.declaration", "ojs.publisher.confirm-timeout", "ojs.worker.enabled",
					"ojs.worker.shutdown-grace", "ojs.queues", "ojs.queue-defaults.concurrency",
					"ojs.queue-defaults.retry.max-attempts");
		}
	}

	static class Slow {

		@OjsJobHandler(value = "slow.work", queue = "slow", retry = @OjsRetry(initialInterval = "1h"))
		void work() {
		}

	}

}
