package io.ojs.boot.internal;

import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.ojs.amqp.Ordering;
import io.ojs.amqp.internal.topology.QueueSettings;
import io.ojs.boot.InvalidConfigurationException;
import io.ojs.boot.QueueProperties;
import io.ojs.handler.internal.JobHandlerDefinition;
import org.jspecify.annotations.Nullable;

/**
 * The order that the properties of a queue ask for. Rejects properties that would break
 * it.
 *
 * @param key the key above the ordering, for messages
 * @param ordering the order
 * @param shards the number of shards, if the queue is ordered by key
 */
public record QueueOrder(String key, Ordering ordering, int shards) {

	private static final int FEWEST_SHARDS = 2;

	private static final int MOST_SHARDS = 256;

	/**
	 * Reads and checks the order.
	 * @param key the key above the properties of the queue
	 * @param own the properties of the queue, or the defaults if it has none
	 * @throws InvalidConfigurationException if another property contradicts the order
	 */
	public static QueueOrder of(String key, QueueProperties own, String defaultsKey, QueueProperties defaults) {
		boolean ofQueue = own.ordering() != null;
		Ordering ordering = ofQueue ? own.ordering() : defaults.ordering();
		String orderingKey = ofQueue ? key : defaultsKey;
		if (ordering == null || ordering == Ordering.NONE) {
			refuseShards(key, own.orderingShards(), "only ordering=key has shards");
			return new QueueOrder(orderingKey, Ordering.NONE, QueueSettings.DEFAULT_SHARDS);
		}
		refuseMany(key, own, orderingKey, ordering);
		if (!ofQueue) {
			// A queue with an ordering of its own ignores concurrency and prefetch of the
			// defaults.
			refuseMany(defaultsKey, defaults, orderingKey, ordering);
		}
		if (ordering == Ordering.STRICT) {
			refuseShards(key, own.orderingShards(), "ordering=strict has no shards");
		}
		checkShards(key, own.orderingShards());
		checkShards(defaultsKey, defaults.orderingShards());
		Integer shards = (own.orderingShards() != null) ? own.orderingShards() : defaults.orderingShards();
		return new QueueOrder(orderingKey, ordering, (shards != null) ? shards : QueueSettings.DEFAULT_SHARDS);
	}

	private static void refuseMany(String key, QueueProperties properties, String orderingKey, Ordering ordering) {
		refuseMany(key + ".concurrency", properties.concurrency(), orderingKey, ordering);
		refuseMany(key + ".prefetch", properties.prefetch(), orderingKey, ordering);
	}

	private static void refuseMany(String key, @Nullable Integer value, String orderingKey, Ordering ordering) {
		if (value != null && value > 1) {
			throw new InvalidConfigurationException(key, value, "%s.ordering=%s runs one job at a time%s"
				.formatted(orderingKey, name(ordering), (ordering == Ordering.KEY) ? " in each shard" : ""),
					"Remove it, or remove the ordering.");
		}
	}

	private static void refuseShards(String key, @Nullable Integer shards, String problem) {
		if (shards != null) {
			throw new InvalidConfigurationException(key + ".ordering-shards", shards, problem,
					"Remove it, or set %s.ordering=key.".formatted(key));
		}
	}

	private static void checkShards(String key, @Nullable Integer shards) {
		if (shards != null && (shards < FEWEST_SHARDS || shards > MOST_SHARDS)) {
			throw new InvalidConfigurationException(key + ".ordering-shards", shards,
					"must be between %d and %d".formatted(FEWEST_SHARDS, MOST_SHARDS),
					"Set it to about as many as keys shall run side by side; for one, set %s.ordering=strict."
						.formatted(key));
		}
	}

	/**
	 * Rejects arguments that would break the order.
	 * @throws InvalidConfigurationException if there is such an argument
	 */
	public void check(Map<String, Object> arguments) {
		if (!this.ordering.isOrdered()) {
			return;
		}
		if (arguments.containsKey("x-max-priority")) {
			throw new InvalidConfigurationException(this.key + ".ordering", name(this.ordering),
					"max-priority (or arguments.x-max-priority = %s) would let jobs overtake"
						.formatted(arguments.get("x-max-priority")),
					"Remove one of the two.");
		}
		if (Boolean.FALSE.equals(arguments.get("x-single-active-consumer"))) {
			throw new InvalidConfigurationException(this.key + ".ordering", name(this.ordering),
					"single-active-consumer=false would let several processes work at once", "Remove one of the two.");
		}
	}

	/**
	 * Rejects handlers that ask for several jobs at a time.
	 * @throws InvalidConfigurationException if there is such a handler
	 */
	public static void check(QueueSettings settings, List<JobHandlerDefinition> handlers) {
		if (!settings.ordering().isOrdered()) {
			return;
		}
		for (JobHandlerDefinition handler : handlers) {
			if (handler.concurrency() > 1) {
				throw new InvalidConfigurationException("ojs.queues.%s.ordering".formatted(settings.name()),
						name(settings.ordering()),
						"the handler of %s wants a concurrency of %d".formatted(handler.origin(),
								handler.concurrency()),
						"Remove the concurrency of the handler, or the ordering of its queue.");
			}
		}
	}

	private static String name(Ordering ordering) {
		return ordering.name().toLowerCase(Locale.ROOT);
	}

}
