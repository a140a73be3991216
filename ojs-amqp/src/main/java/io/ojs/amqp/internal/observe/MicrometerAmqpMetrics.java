package io.ojs.amqp.internal.observe;

import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.ojs.amqp.internal.message.Purpose;

/**
 * The meters of AMQP binding §12.1, by Micrometer. Tags name the OJS queue, never a job.
 */
public final class MicrometerAmqpMetrics implements AmqpMetrics {

	/**
	 * Most queues with meters of their own. The others share those of {@code other}.
	 * Queues that are known beforehand or that this process works always have their own.
	 */
	public static final int MAX_QUEUES = 200;

	/** Confirms take from less than a millisecond to the default confirm timeout. */
	private static final Duration[] BUCKETS = { Duration.ofMillis(1), Duration.ofMillis(2), Duration.ofMillis(5),
			Duration.ofMillis(10), Duration.ofMillis(25), Duration.ofMillis(50), Duration.ofMillis(100),
			Duration.ofMillis(250), Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofMillis(2500),
			Duration.ofSeconds(5), Duration.ofSeconds(10) };

	private final MeterRegistry registry;

	private final ConnectionWatch connections;

	private final BoundedNames queues;

	private final Map<String, PublishMeters> published = new ConcurrentHashMap<>();

	private final Map<String, ConsumerMeters> consumers = new ConcurrentHashMap<>();

	private final Timer confirmLatency;

	private final Counter reconnections;

	/**
	 * Registers the meters.
	 * @param connections counts open connections and channels, and unsettled messages
	 * @param queues known OJS queues, whose meters begin at 0
	 */
	public MicrometerAmqpMetrics(MeterRegistry registry, ConnectionWatch connections, Collection<String> queues) {
		this.registry = registry;
		this.connections = connections;
		this.queues = new BoundedNames(queues, MAX_QUEUES);
		queues.forEach(this::meters);
		this.confirmLatency = Timer.builder("ojs.amqp.publish.confirm.latency")
			.description("Time until the broker answers a publish")
			.serviceLevelObjectives(BUCKETS)
			.register(registry);
		this.reconnections = Counter.builder("ojs.amqp.reconnections")
			.description("Attempts to connect again")
			.register(registry);
		Gauge.builder("ojs.amqp.connections.active", connections, (watch) -> watch.connections().size())
			.description("Open AMQP connections of the connection factory that jobs use")
			.register(registry);
		Gauge.builder("ojs.amqp.channels.active", connections, ConnectionWatch::channels)
			.description("Open AMQP channels of the connection factory that jobs use")
			.register(registry);
	}

	@Override
	public void published(String queue, Purpose purpose) {
		meters(queue).published(purpose);
	}

	@Override
	public void returned(String queue) {
		meters(queue).returned.increment();
	}

	@Override
	public void confirmed(long nanos) {
		this.confirmLatency.record(nanos, TimeUnit.NANOSECONDS);
	}

	@Override
	public void reconnecting() {
		this.reconnections.increment();
	}

	@Override
	public ConsumerMetrics consumers(String queue, int count) {
		ConsumerMeters meters = this.consumers.computeIfAbsent(queue,
				(name) -> new ConsumerMeters(this.registry, this.connections, name, count));
		meters.consumers(count);
		return meters;
	}

	private PublishMeters meters(String queue) {
		PublishMeters known = this.published.get(queue);
		return (known != null) ? known : this.published.computeIfAbsent(this.queues.admit(queue),
				(name) -> new PublishMeters(this.registry, name));
	}

	private static final class PublishMeters {

		private final Map<Purpose, Counter> published = new EnumMap<>(Purpose.class);

		private final Counter returned;

		PublishMeters(MeterRegistry registry, String queue) {
			for (Purpose purpose : Purpose.values()) {
				if (!purpose.isJob()) {
					continue;
				}
				this.published.put(purpose,
						Counter.builder("ojs.amqp.messages.published")
							.description("Messages that the broker confirmed and did not return")
							.tag("queue", queue)
							.tag("purpose", purpose.toString())
							.register(registry));
			}
			this.returned = Counter.builder("ojs.amqp.messages.returned")
				.description("Messages that the broker returned because nothing leads to where they were sent")
				.tag("queue", queue)
				.register(registry);
		}

		void published(Purpose purpose) {
			this.published.get(purpose).increment();
		}

	}

}
