package io.ojs.boot;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import io.ojs.boot.internal.ConfiguredTenantLimits;
import io.ojs.boot.internal.QueueSettingsFactory;
import org.jspecify.annotations.Nullable;

/**
 * Rejects properties that have no effect without a job store: an application that limits
 * a queue relies on the limit.
 */
final class StoreOnlyProperties {

	private StoreOnlyProperties() {
	}

	/**
	 * Checks the properties of an application without a job store.
	 * @param properties all properties
	 * @throws InvalidConfigurationException if a property is set that needs a job store
	 */
	static void check(OjsProperties properties) {
		if (properties.strictQueues()) {
			throw refused("ojs.strict-queues", true);
		}
		ConfiguredTenantLimits.values(properties.tenancy()).forEach((key, value) -> {
			throw refused(key, value);
		});
		check(QueueSettingsFactory.DEFAULTS, properties.queueDefaults());
		properties.queues().forEach((name, queue) -> check(QueueSettingsFactory.key(name), queue));
	}

	private static void check(String key, QueueProperties queue) {
		Map<String, @Nullable Object> values = new LinkedHashMap<>();
		values.put("max-size", queue.maxSize());
		values.put("max-size-bytes", queue.maxSizeBytes());
		values.put("overflow-policy", queue.overflowPolicy());
		values.put("visibility-timeout", queue.visibilityTimeout());
		values.put("retention.completed", queue.retention().completed());
		values.put("retention.discarded", queue.retention().discarded());
		values.put("retention.cancelled", queue.retention().cancelled());
		values.put("dead-letters.queue", queue.deadLetters().queue());
		values.put("dead-letters.max-size", queue.deadLetters().maxSize());
		values.put("dead-letters.ttl", queue.deadLetters().ttl());
		values.put("allowed-job-types", queue.allowedJobTypes());
		values.put("producers", queue.producers());
		values.put("delivery", queue.delivery());
		values.entrySet().stream().filter((entry) -> entry.getValue() != null).findFirst().ifPresent((entry) -> {
			throw refused(key + "." + entry.getKey(), Objects.requireNonNull(entry.getValue()));
		});
	}

	private static InvalidConfigurationException refused(String key, Object value) {
		return new InvalidConfigurationException(key, value, "needs a job store, and there is none",
				"Give the application a DataSource and spring-jdbc, such as by spring-boot-starter-jdbc, and leave "
						+ "ojs.store.enabled at true; or remove it.");
	}

}
