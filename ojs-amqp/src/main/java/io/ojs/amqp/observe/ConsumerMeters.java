package io.ojs.amqp.observe;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * What the consumers of one queue do.
 */
final class ConsumerMeters implements ConsumerMetrics {

	private final MeterRegistry registry;

	private final String queue;

	private final Counter consumed;

	private final Counter acked;

	private final Counter nacked;

	private final Utilization utilization;

	/** By the number of the consumer. Only grows. */
	private final List<AtomicInteger> unacked = new CopyOnWriteArrayList<>();

	private final ReentrantLock growing = new ReentrantLock();

	ConsumerMeters(MeterRegistry registry, String queue, int count) {
		this.registry = registry;
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
	public void begin(int consumer) {
		this.consumed.increment();
		unacked(consumer).incrementAndGet();
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
		unacked(consumer).decrementAndGet();
	}

	private AtomicInteger unacked(int consumer) {
		return (consumer < this.unacked.size()) ? this.unacked.get(consumer) : grow(consumer);
	}

	private AtomicInteger grow(int consumer) {
		this.growing.lock();
		try {
			while (this.unacked.size() <= consumer) {
				AtomicInteger inHand = new AtomicInteger();
				Gauge.builder("ojs.amqp.messages.unacked", inHand, AtomicInteger::get)
					.description("Messages that a consumer has in hand and has not settled yet")
					.tag("queue", this.queue)
					.tag("consumer", this.queue + "#" + this.unacked.size())
					.register(this.registry);
				this.unacked.add(inHand);
			}
			return this.unacked.get(consumer);
		}
		finally {
			this.growing.unlock();
		}
	}

}
