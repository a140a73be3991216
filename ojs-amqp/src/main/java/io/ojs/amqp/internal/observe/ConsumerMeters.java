package io.ojs.amqp.internal.observe;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

import com.rabbitmq.client.Channel;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Meters of the consumers of one queue.
 */
final class ConsumerMeters implements ConsumerMetrics {

	private final MeterRegistry registry;

	private final ConnectionWatch connections;

	private final String queue;

	private final Counter consumed;

	private final Counter acked;

	private final Counter nacked;

	private final Utilization utilization;

	/** By the number of the consumer. Never shrinks. */
	private final List<Unacked> unacked = new CopyOnWriteArrayList<>();

	private final ReentrantLock growing = new ReentrantLock();

	ConsumerMeters(MeterRegistry registry, ConnectionWatch connections, String queue, int count) {
		this.registry = registry;
		this.connections = connections;
		this.queue = queue;
		this.consumed = counter("consumed", "Messages that consumers took up");
		this.acked = counter("acked", "Messages that were acknowledged");
		this.nacked = counter("nacked", "Messages that were negatively acknowledged");
		this.utilization = new Utilization(count, System::nanoTime);
		Gauge.builder("ojs.amqp.consumer.utilization", this.utilization, Utilization::ratio)
			.description(
					"Time that consumers had a message in hand, of the time that they could have, in the last minute")
			.tag("queue", queue)
			.register(registry);
		unacked(count - 1);
	}

	private Counter counter(String what, String description) {
		return Counter.builder("ojs.amqp.messages." + what)
			.description(description)
			.tag("queue", this.queue)
			.register(this.registry);
	}

	void consumers(int count) {
		this.utilization.consumers(count);
		unacked(count - 1);
	}

	@Override
	public void begin(int consumer, Channel channel) {
		this.consumed.increment();
		unacked(consumer).begin(channel);
		this.utilization.begin();
	}

	@Override
	public void acked() {
		this.acked.increment();
	}

	@Override
	public void nacked() {
		this.nacked.increment();
	}

	@Override
	public void end(int consumer) {
		this.utilization.end();
		unacked(consumer).inHand.decrementAndGet();
	}

	private Unacked unacked(int consumer) {
		return (consumer < this.unacked.size()) ? this.unacked.get(consumer) : grow(consumer);
	}

	private Unacked grow(int consumer) {
		this.growing.lock();
		try {
			while (this.unacked.size() <= consumer) {
				Unacked added = new Unacked(this.connections);
				Gauge.builder("ojs.amqp.messages.unacked", added, Unacked::count)
					.description("Messages that were delivered to a consumer and are not settled yet")
					.tag("queue", this.queue)
					.tag("consumer", this.queue + "#" + this.unacked.size())
					.register(this.registry);
				this.unacked.add(added);
			}
			return this.unacked.get(consumer);
		}
		finally {
			this.growing.unlock();
		}
	}

	/**
	 * The unsettled messages of one consumer. A consumer begins a message as soon as it
	 * has any, so its channel is known by then.
	 */
	private static final class Unacked {

		private final ConnectionWatch connections;

		private final AtomicInteger inHand = new AtomicInteger();

		private volatile @Nullable Channel channel;

		Unacked(ConnectionWatch connections) {
			this.connections = connections;
		}

		void begin(Channel channel) {
			this.channel = channel;
			this.inHand.incrementAndGet();
		}

		/**
		 * 0 if the channel is closed, since the broker has all its messages back. At
		 * least the messages being processed, in case the channel was opened before the
		 * watch began.
		 */
		int count() {
			Channel last = this.channel;
			return (last != null && last.isOpen()) ? Math.max(this.connections.unacked(last), this.inHand.get()) : 0;
		}

	}

}
