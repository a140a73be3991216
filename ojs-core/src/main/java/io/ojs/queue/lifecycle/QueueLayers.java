package io.ojs.queue.lifecycle;

import java.util.Map;
import java.util.Set;

import io.ojs.queue.InvalidQueueConfigException;
import io.ojs.queue.QueueConfig;
import org.jspecify.annotations.Nullable;

/**
 * How the layers of configuration lie on each other (OJS Queue Configuration §7.2): what
 * the library does by itself, the application's properties for all queues, the default
 * policy, the properties of the queue, what was said about it through the API.
 *
 * @param defaults the properties for all queues, {@code ojs.queue-defaults}
 * @param queues the properties of single queues, {@code ojs.queues}
 * @param known queues that the application has anyway: those of its properties and of its
 * handlers
 */
public record QueueLayers(QueueConfig defaults, Map<String, QueueConfig> queues, Set<String> known) {

	public QueueLayers {
		queues = Map.copyOf(queues);
		known = Set.copyOf(known);
	}

	/**
	 * The default policy (§7.1).
	 * @param policy what the API said; {@code null} for nothing
	 * @return what counts for a queue of which nobody says anything
	 */
	public QueueConfig policy(@Nullable QueueConfig policy) {
		QueueConfig ofProperties = this.defaults.over(QueueConfig.DEFAULT);
		return (policy != null) ? policy.over(ofProperties) : ofProperties;
	}

	/**
	 * Checks where the properties send the dead letters of a queue.
	 * @param name its name
	 * @throws InvalidQueueConfigException if that is the queue itself, or leads back to
	 * it
	 */
	public void checkDeadLetterQueue(String name) {
		String target = this.queues.getOrDefault(name, QueueConfig.NONE).deadLetterQueue();
		if (target != null) {
			DeadLetterQueues.check(name, target, (queue) -> effective(queue, null, null).deadLetterQueue());
		}
	}

	/**
	 * The configuration of a queue.
	 * @param name its name
	 * @param policy the default policy that the API said; {@code null} for none
	 * @param explicit what the API said about the queue; {@code null} for nothing
	 * @return what counts
	 */
	public QueueConfig effective(String name, @Nullable QueueConfig policy, @Nullable QueueConfig explicit) {
		QueueConfig below = this.queues.getOrDefault(name, QueueConfig.NONE).over(policy(policy));
		return (explicit != null) ? explicit.over(below) : below;
	}

}
