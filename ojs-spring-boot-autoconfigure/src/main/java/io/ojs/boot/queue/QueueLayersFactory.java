package io.ojs.boot.queue;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.ojs.boot.InvalidConfigurationException;
import io.ojs.boot.OjsProperties;
import io.ojs.boot.QueueProperties;
import io.ojs.boot.QueueProperties.DeadLetterProperties;
import io.ojs.boot.QueueProperties.RetentionProperties;
import io.ojs.boot.internal.QueueSettingsFactory;
import io.ojs.queue.InvalidQueueConfigException;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueRetention;
import io.ojs.queue.internal.lifecycle.QueueLayers;

import org.springframework.util.unit.DataSize;

/**
 * Converts {@code ojs.queue-defaults} and {@code ojs.queues} to layers of the
 * configuration of queues.
 */
final class QueueLayersFactory {

	/** Properties whose names differ from the field of the configuration, by field. */
	private static final Map<String, String> KEYS = Map.of("default_timeout", "timeout", "default_retry", "retry",
			"dead_letter_queue", "dead-letters.queue", "dead_letter_max_size", "dead-letters.max-size",
			"dead_letter_ttl", "dead-letters.ttl");

	private QueueLayersFactory() {
	}

	/**
	 * Creates the layers.
	 * @param properties all properties
	 * @param known other queues that the application knows
	 * @return the layers
	 * @throws InvalidConfigurationException if a property is invalid
	 */
	static QueueLayers of(OjsProperties properties, Set<String> known) {
		Map<String, QueueConfig> queues = new HashMap<>();
		properties.queues().forEach((name, queue) -> queues.put(name, config(QueueSettingsFactory.key(name), queue)));
		QueueConfig defaults = config(QueueSettingsFactory.DEFAULTS, properties.queueDefaults());
		Set<String> all = new TreeSet<>(known);
		Stream.concat(Stream.of(defaults), queues.values().stream())
			.map(QueueConfig::deadLetterQueue)
			.filter(Objects::nonNull)
			.forEach(all::add);
		QueueLayers layers = new QueueLayers(defaults, queues, all);
		queues.keySet().forEach((name) -> named(QueueSettingsFactory.key(name), () -> {
			layers.checkDeadLetterQueue(name);
			return layers;
		}));
		return layers;
	}

	private static QueueConfig config(String key, QueueProperties queue) {
		return named(key, () -> {
			DataSize maxSizeBytes = queue.maxSizeBytes();
			RetentionProperties retention = queue.retention();
			DeadLetterProperties deadLetters = queue.deadLetters();
			return QueueConfig.builder()
				.maxSize(queue.maxSize())
				.maxSizeBytes((maxSizeBytes != null) ? maxSizeBytes.toBytes() : null)
				.overflowPolicy(queue.overflowPolicy())
				.concurrency(queue.concurrency())
				.visibilityTimeout(queue.visibilityTimeout())
				.defaultTimeout(queue.timeout())
				.defaultRetry(QueueSettingsFactory.overrides(queue.retry()))
				.retention(new QueueRetention(retention.completed(), retention.discarded(), retention.cancelled()))
				.deadLetterQueue(deadLetters.queue())
				.deadLetterMaxSize(deadLetters.maxSize())
				.deadLetterTtl(deadLetters.ttl())
				.allowedJobTypes(queue.allowedJobTypes())
				.producers(queue.producers())
				.build();
		});
	}

	private static <T> T named(String key, Supplier<T> config) {
		try {
			return config.get();
		}
		catch (InvalidQueueConfigException ex) {
			throw new InvalidConfigurationException(key + "." + property(ex.field()), ex.value(),
					ex.problem().replace('_', '-'), "Change it, or remove it.");
		}
	}

	private static String property(String field) {
		int dot = field.indexOf('.');
		String first = (dot < 0) ? field : field.substring(0, dot);
		String rest = (dot < 0) ? "" : field.substring(dot);
		return (KEYS.getOrDefault(first, first) + rest).replace('_', '-');
	}

}
