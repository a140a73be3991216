package io.ojs.boot;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.ojs.boot.internal.QueueSettingsFactory;
import io.ojs.handler.internal.JobHandlerDefinition;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.queue.Delivery;
import io.ojs.store.internal.relay.HandOver;
import org.jspecify.annotations.Nullable;

/**
 * Finds the queues whose jobs are handed over to the broker, and rejects properties that
 * such a queue cannot have.
 */
final class QueueDelivery {

	private QueueDelivery() {
	}

	/**
	 * Finds the queues with the delivery hand-over.
	 * @param properties all properties
	 * @return the queues
	 * @throws InvalidConfigurationException if one of them has a property that
	 * contradicts the delivery
	 */
	static HandOver of(OjsProperties properties) {
		if (properties.queueDefaults().delivery() == Delivery.HAND_OVER) {
			throw new InvalidConfigurationException(QueueSettingsFactory.DEFAULTS + ".delivery", "hand-over",
					"would hand over the jobs of every queue, those of this application's handlers too",
					"Set ojs.queues.<name>.delivery=hand-over for each queue that other programs work.");
		}
		Set<String> queues = new TreeSet<>();
		properties.queues().forEach((name, queue) -> {
			if (queue.delivery() == Delivery.HAND_OVER) {
				check(QueueSettingsFactory.key(name), queue);
				queues.add(name);
			}
		});
		return new HandOver(queues);
	}

	private static void check(String key, QueueProperties queue) {
		Map<String, @Nullable Object> ofWorkers = new LinkedHashMap<>();
		ofWorkers.put("concurrency", queue.concurrency());
		ofWorkers.put("prefetch", queue.prefetch());
		ofWorkers.put("timeout", queue.timeout());
		ofWorkers.forEach((name, value) -> refuse(key, name, value,
				"the queue has delivery=hand-over, and its workers, which are not this library's, decide that"));
		Map<String, @Nullable Object> limits = new LinkedHashMap<>();
		limits.put("max-size", queue.maxSize());
		limits.put("max-size-bytes", queue.maxSizeBytes());
		limits.put("overflow-policy", queue.overflowPolicy());
		limits.forEach((name, value) -> refuse(key, name, value,
				"the queue has delivery=hand-over, and the job store does not learn when its jobs end"));
	}

	private static void refuse(String key, String name, @Nullable Object value, String problem) {
		if (value != null) {
			throw new InvalidConfigurationException(key + "." + name, value, problem,
					"Remove it (max-length limits the queue at the broker), or remove the delivery.");
		}
	}

	/**
	 * Rejects handlers of queues that are handed over.
	 * @param handOver the queues
	 * @param handlers all handlers
	 * @throws InvalidConfigurationException if there is such a handler
	 */
	static void check(HandOver handOver, JobHandlers handlers) {
		for (Map.Entry<String, List<JobHandlerDefinition>> queue : handlers.byQueue().entrySet()) {
			if (handOver.test(queue.getKey())) {
				throw new InvalidConfigurationException(QueueSettingsFactory.key(queue.getKey()) + ".delivery",
						"hand-over", "this application has a handler of the queue: " + queue.getValue().get(0).origin(),
						"Remove the delivery, or give the handler another queue.");
			}
		}
	}

}
