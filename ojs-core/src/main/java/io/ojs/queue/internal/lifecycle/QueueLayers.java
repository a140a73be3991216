package io.ojs.queue.internal.lifecycle;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.ojs.queue.InvalidQueueConfigException;
import io.ojs.queue.QueueConfig;
import org.jspecify.annotations.Nullable;

/**
 * The layers of configuration (OJS Queue Configuration §7.2), from the lowest: the
 * defaults of the library, the application's properties for all queues, the default
 * policy, the properties of the queue, and the configuration of the queue by the API.
 *
 * @param defaults the properties for all queues, {@code ojs.queue-defaults}
 * @param queues the properties of single queues, {@code ojs.queues}
 * @param known queues that the application has in its properties and handlers
 */
public record QueueLayers(QueueConfig defaults, Map<String, QueueConfig> queues, Set<String> known) {

	public QueueLayers {
		queues = Map.copyOf(queues);
		known = Set.copyOf(known);
	}

	/**
	 * Returns the default policy (§7.1).
	 * @param policy the policy that was set by the API; {@code null} for none
	 * @return the configuration of a queue without its own one
	 */
	public QueueConfig policy(@Nullable QueueConfig policy) {
		QueueConfig ofProperties = this.defaults.over(QueueConfig.DEFAULT);
		return (policy != null) ? policy.over(ofProperties) : ofProperties;
	}

	/**
	 * Checks the dead letter queue in the properties of a queue.
	 * @throws InvalidQueueConfigException if it is the queue itself, or leads back to it
	 */
	public void checkDeadLetterQueue(String name) {
		String target = this.queues.getOrDefault(name, QueueConfig.NONE).deadLetterQueue();
		if (target != null) {
			DeadLetterQueues.check(name, target, (queue) -> effective(queue, null, null).deadLetterQueue());
		}
	}

	/**
	 * Returns what each layer sets for a queue.
	 * @param policy the default policy that was set by the API; {@code null} for none
	 * @param explicit the configuration of the queue by the API; {@code null} for none
	 * @return the configurations by the names of the layers, the strongest first
	 */
	public Map<String, QueueConfig> of(String name, @Nullable QueueConfig policy, @Nullable QueueConfig explicit) {
		Map<String, QueueConfig> layers = new LinkedHashMap<>();
		layers.put("queue", Objects.requireNonNullElse(explicit, QueueConfig.NONE));
		layers.put("queue_properties", this.queues.getOrDefault(name, QueueConfig.NONE));
		layers.put("default_policy", Objects.requireNonNullElse(policy, QueueConfig.NONE));
		layers.put("default_properties", this.defaults);
		layers.put("library", QueueConfig.DEFAULT);
		return layers;
	}

	/**
	 * Returns the configuration of a queue.
	 * @param policy the default policy that was set by the API; {@code null} for none
	 * @param explicit the configuration of the queue by the API; {@code null} for none
	 */
	public QueueConfig effective(String name, @Nullable QueueConfig policy, @Nullable QueueConfig explicit) {
		QueueConfig below = this.queues.getOrDefault(name, QueueConfig.NONE).over(policy(policy));
		return (explicit != null) ? explicit.over(below) : below;
	}

}
