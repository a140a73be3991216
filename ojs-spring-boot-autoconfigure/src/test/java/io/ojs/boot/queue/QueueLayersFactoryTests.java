package io.ojs.boot.queue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.ojs.boot.InvalidConfigurationException;
import io.ojs.boot.OjsProperties;
import io.ojs.queue.OverflowPolicy;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueRetention;
import io.ojs.queue.internal.lifecycle.QueueLayers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The properties of queues as layers of their configuration.
 */
class QueueLayersFactoryTests {

	@Test
	void everyPropertyHasItsField() {
		QueueLayers layers = layers(Map.ofEntries(Map.entry("ojs.queue-defaults.concurrency", "3"),
				Map.entry("ojs.queue-defaults.max-size", "1000"), Map.entry("ojs.queues.[pay.ments].max-size", "5"),
				Map.entry("ojs.queues.[pay.ments].max-size-bytes", "1MB"),
				Map.entry("ojs.queues.[pay.ments].overflow-policy", "drop-oldest"),
				Map.entry("ojs.queues.[pay.ments].visibility-timeout", "2m"),
				Map.entry("ojs.queues.[pay.ments].timeout", "90s"),
				Map.entry("ojs.queues.[pay.ments].retry.max-attempts", "9"),
				Map.entry("ojs.queues.[pay.ments].retention.completed", "3d"),
				Map.entry("ojs.queues.[pay.ments].dead-letters.queue", "dead"),
				Map.entry("ojs.queues.[pay.ments].dead-letters.max-size", "7"),
				Map.entry("ojs.queues.[pay.ments].dead-letters.ttl", "1d"),
				Map.entry("ojs.queues.[pay.ments].allowed-job-types", "payment.*,refund"),
				Map.entry("ojs.queues.[pay.ments].producers", "web")));
		QueueConfig config = layers.effective("pay.ments", null, null);
		assertThat(config.concurrency()).isEqualTo(3);
		assertThat(config.maxSize()).isEqualTo(5);
		assertThat(config.maxSizeBytes()).isEqualTo(1024 * 1024);
		assertThat(config.overflowPolicy()).isEqualTo(OverflowPolicy.DROP_OLDEST);
		assertThat(config.visibilityTimeout()).isEqualTo(Duration.ofMinutes(2));
		assertThat(config.defaultTimeout()).isEqualTo(Duration.ofSeconds(90));
		assertThat(config.retryPolicy().maxAttempts()).isEqualTo(9);
		assertThat(config.retention()).isEqualTo(QueueRetention.DEFAULT.completed(Duration.ofDays(3)));
		assertThat(config.deadLetterQueue()).isEqualTo("dead");
		assertThat(config.deadLetterMaxSize()).isEqualTo(7);
		assertThat(config.deadLetterTtl()).isEqualTo(Duration.ofDays(1));
		assertThat(config.allowedJobTypes()).isEqualTo(List.of("payment.*", "refund"));
		assertThat(config.producers()).isEqualTo(List.of("web"));
		assertThat(layers.effective("other", null, null).maxSize()).isEqualTo(1000);
	}

	@Test
	@Tag("QC-6.4-2")
	void whereNothingIsSaidTheDefaultsCount() {
		assertThat(layers(Map.of("ojs.enabled", "true")).effective("a", null, null)).isEqualTo(QueueConfig.DEFAULT);
	}

	@Test
	void oneQueueKeepsFewerDeadLettersThanTheOthers() {
		QueueLayers layers = layers(
				Map.of("ojs.queue-defaults.dead-letters.max-size", "50", "ojs.queues.a.dead-letters.max-size", "7"));
		assertThat(layers.effective("a", null, null).deadLetterMaxSize()).isEqualTo(7);
		assertThat(layers.effective("b", null, null).deadLetterMaxSize()).isEqualTo(50);
		QueueConfig policy = QueueConfig.builder().deadLetterMaxSize(0L).build();
		assertThat(layers.effective("b", policy, null).deadLetterMaxSize()).isZero();
	}

	@ParameterizedTest
	@CsvSource({ "ojs.queues.a.max-size, -1", "ojs.queues.[a.b].max-size-bytes, -5B",
			"ojs.queue-defaults.retention.completed, -1d", "ojs.queues.a.visibility-timeout, 0s",
			"ojs.queues.a.dead-letters.queue, Bad", "ojs.queues.a.dead-letters.max-size, -1",
			"ojs.queues.a.timeout, -1s", "ojs.queues.a.retry.backoff-coefficient, 0.5" })
	void anErrorNamesTheKey(String key, String value) {
		assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(() -> layers(Map.of(key, value)))
			.withMessageContaining(key);
	}

	@Test
	void deadLettersGoToAnotherQueueThatIsKnownThenAndNotInACircle() {
		QueueLayers layers = layers(Map.of("ojs.queue-defaults.dead-letters.queue", "graveyard",
				"ojs.queues.a.dead-letters.queue", "special"));
		assertThat(layers.known()).containsExactlyInAnyOrder("graveyard", "special");
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> layers(Map.of("ojs.queues.a.dead-letters.queue", "a")))
			.withMessageContaining("ojs.queues.a.dead-letters.queue")
			.withMessageContaining("must be another queue");
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> layers(
					Map.of("ojs.queues.[a.b].dead-letters.queue", "c", "ojs.queue-defaults.dead-letters.queue", "a.b")))
			.withMessageContaining("ojs.queues.[a.b].dead-letters.queue")
			.withMessageContaining("a.b → c → a.b");
	}

	private static QueueLayers layers(Map<String, String> properties) {
		OjsProperties bound = new Binder(new MapConfigurationPropertySource(properties)).bindOrCreate("ojs",
				OjsProperties.class);
		return QueueLayersFactory.of(bound, Set.of());
	}

}
