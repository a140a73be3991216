package io.ojs.boot.internal;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.ojs.amqp.QueueKind;
import io.ojs.amqp.internal.topology.QueueSettings;
import io.ojs.boot.InvalidConfigurationException;
import io.ojs.boot.OjsProperties;
import io.ojs.boot.QueueProperties;
import io.ojs.boot.QueueProperties.RetryProperties;
import io.ojs.handler.internal.Timeouts;
import io.ojs.job.InvalidJobException;
import io.ojs.job.internal.JobRules;
import io.ojs.queue.Delivery;
import io.ojs.retry.InvalidRetryPolicyException;
import io.ojs.retry.RetryOverrides;
import io.ojs.retry.RetryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * Creates the settings of queues: {@code ojs.queues.<name>.*} over
 * {@code ojs.queue-defaults.*} over the defaults of the library. Rejects settings that a
 * broker would reject.
 */
public final class QueueSettingsFactory {

	public static final String DEFAULTS = "ojs.queue-defaults";

	/**
	 * Every job needs settings several times, so they are cached. The limit is there
	 * because names of queues also come from outside.
	 */
	private static final int MOST_KNOWN = 10_000;

	private final Map<String, QueueSettings> known = new ConcurrentHashMap<>();

	private final QueueProperties defaults;

	private final Map<String, QueueProperties> queues;

	public QueueSettingsFactory(OjsProperties properties) {
		this.defaults = properties.queueDefaults();
		this.queues = properties.queues();
	}

	/**
	 * The settings of a queue.
	 * @param name the OJS queue, configured or not
	 * @throws InvalidConfigurationException if a property is invalid
	 */
	public QueueSettings settings(String name) {
		QueueSettings known = this.known.get(name);
		if (known != null) {
			return known;
		}
		QueueSettings made = make(name);
		if (this.known.size() < MOST_KNOWN) {
			this.known.put(name, made);
		}
		return made;
	}

	private QueueSettings make(String name) {
		QueueProperties own = this.queues.get(name);
		Layer ofDefaults = new Layer(DEFAULTS, this.defaults);
		Layer ofQueue = (own != null) ? new Layer(key(name), own) : ofDefaults;
		QueueKind kind = firstOf(ofQueue.properties().type(), this.defaults.type(), QueueKind.QUORUM);
		// Messages name the type of the queue, if it has its own: the defaults may not
		// fit that type.
		Layer ofType = (own != null && own.type() != null) ? ofQueue : ofDefaults;
		Map<String, Object> arguments = new HashMap<>(
				new QueueArguments(DEFAULTS, this.defaults).of(kind, ofType.key()));
		arguments.putAll(new QueueArguments(ofQueue.key(), ofQueue.properties()).of(kind, ofQueue.key()));
		QueueOrder order = QueueOrder.of(ofQueue.key(), ofQueue.properties(), DEFAULTS, this.defaults);
		order.check(arguments);
		boolean ordered = order.ordering().isOrdered();
		int concurrency = firstOf(ofQueue.atLeastOne("concurrency", ofQueue.properties().concurrency()),
				ofDefaults.atLeastOne("concurrency", this.defaults.concurrency()), 0);
		int prefetch = firstOf(ofQueue.prefetch(), ofDefaults.prefetch(), QueueSettings.DEFAULT_PREFETCH);
		return new QueueSettings(name, kind, deliveryLimit(ofQueue, ofDefaults, kind), arguments,
				ordered ? 1 : concurrency, ordered ? 1 : prefetch, ofQueue.retry(ofDefaults.retry(RetryPolicy.DEFAULT)),
				order.ordering(), order.shards(), delivery(ofQueue, arguments, ordered));
	}

	/**
	 * The delivery. A default of store does not apply to queues whose order the broker
	 * keeps.
	 */
	private Delivery delivery(Layer ofQueue, Map<String, Object> arguments, boolean ordered) {
		boolean oneAtATime = ordered || Boolean.TRUE.equals(arguments.get("x-single-active-consumer"));
		Delivery own = (ofQueue.properties() != this.defaults) ? ofQueue.properties().delivery() : null;
		if (own == Delivery.STORE && oneAtATime) {
			throw new InvalidConfigurationException(ofQueue.key() + ".delivery", "store",
					"the queue runs one job at a time in its order, which the broker keeps",
					"Remove the delivery, or the ordering (or single-active-consumer) of the queue.");
		}
		Delivery delivery = firstOf(own, this.defaults.delivery(), Delivery.BROKER);
		return (delivery == Delivery.STORE && oneAtATime) ? Delivery.BROKER : delivery;
	}

	/**
	 * The timeout of attempts of a queue's jobs.
	 * @param name the OJS queue, configured or not
	 * @throws InvalidConfigurationException if a property is invalid
	 */
	public Duration timeout(String name) {
		QueueProperties own = this.queues.get(name);
		Layer ofDefaults = new Layer(DEFAULTS, this.defaults);
		Layer ofQueue = (own != null) ? new Layer(key(name), own) : ofDefaults;
		return firstOf(ofQueue.timeout(), ofDefaults.timeout(), Timeouts.DEFAULT);
	}

	/**
	 * Checks the settings of all configured queues before their first use.
	 * @throws InvalidConfigurationException if a property is invalid
	 */
	public void check() {
		settings(JobRules.DEFAULT_QUEUE);
		timeout(JobRules.DEFAULT_QUEUE);
		for (Map.Entry<String, QueueProperties> queue : this.queues.entrySet()) {
			try {
				JobRules.queue(queue.getKey());
			}
			catch (InvalidJobException ex) {
				throw new InvalidConfigurationException(key(queue.getKey()), "{…}", ex.getMessage(),
						"Rename the queue.");
			}
			settings(queue.getKey());
			timeout(queue.getKey());
		}
	}

	public static String key(String queue) {
		return "ojs.queues." + (queue.contains(".") ? "[" + queue + "]" : queue);
	}

	public static RetryOverrides overrides(RetryProperties retry) {
		return new RetryOverrides(retry.maxAttempts(), retry.initialInterval(), retry.backoffCoefficient(),
				retry.maxInterval(), retry.jitter(), retry.nonRetryableErrors(), retry.onExhaustion(),
				retry.backoffStrategy(), Map.of());
	}

	private int deliveryLimit(Layer ofQueue, Layer ofDefaults, QueueKind kind) {
		Integer own = ofQueue.atLeastOne("delivery-limit", ofQueue.properties().deliveryLimit());
		if (own != null && kind == QueueKind.CLASSIC && ofQueue.properties() != this.defaults) {
			throw new InvalidConfigurationException(ofQueue.key() + ".delivery-limit", own,
					"a classic queue has no delivery limit", "Remove it, or make the queue a quorum queue.");
		}
		return firstOf(own, ofDefaults.atLeastOne("delivery-limit", this.defaults.deliveryLimit()),
				QueueSettings.DEFAULT_DELIVERY_LIMIT);
	}

	private static <T> T firstOf(@Nullable T own, @Nullable T ofDefaults, T fallback) {
		if (own != null) {
			return own;
		}
		return (ofDefaults != null) ? ofDefaults : fallback;
	}

	/**
	 * The properties under one key.
	 *
	 */
	private record Layer(String key, QueueProperties properties) {

		@Nullable Integer atLeastOne(String name, @Nullable Integer value) {
			if (value != null && value < 1) {
				throw new InvalidConfigurationException(this.key + "." + name, value, "must be 1 or more",
						"Set it to 1 or more, or remove it.");
			}
			return value;
		}

		@Nullable Integer prefetch() {
			Integer prefetch = atLeastOne("prefetch", this.properties.prefetch());
			if (prefetch != null && prefetch > 2000) {
				throw new InvalidConfigurationException(this.key + ".prefetch", prefetch,
						"a quorum queue allows at most 2000", "Set it to 2000 or less.");
			}
			return prefetch;
		}

		@Nullable Duration timeout() {
			Duration timeout = this.properties.timeout();
			if (timeout != null && (timeout.isZero() || timeout.isNegative())) {
				throw new InvalidConfigurationException(this.key + ".timeout", timeout, "must be longer than zero",
						"Set it to some seconds, such as 90s, or remove it.");
			}
			return timeout;
		}

		RetryPolicy retry(RetryPolicy below) {
			try {
				return below.with(overrides(this.properties.retry()));
			}
			catch (InvalidRetryPolicyException ex) {
				throw new InvalidConfigurationException(this.key + ".retry." + ex.field().replace('_', '-'), ex.value(),
						ex.problem().replace('_', '-'),
						"Set it to a value in range, or change the property that it is compared with.");
			}
		}

	}

}
