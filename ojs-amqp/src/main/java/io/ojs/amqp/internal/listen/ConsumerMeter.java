package io.ojs.amqp.internal.listen;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

import com.rabbitmq.client.Channel;
import io.ojs.amqp.internal.observe.ConsumerMetrics;

import org.springframework.amqp.rabbit.listener.api.ChannelAwareMessageListener;

/**
 * Reports what the consumers of one queue do. Each consumer has its own channel. When a
 * consumer is gone, the next one gets its number, so that there are no more numbers than
 * consumers at a time.
 */
final class ConsumerMeter {

	private final ConsumerMetrics metrics;

	private final int consumers;

	private final List<Slot> slots = new ArrayList<>();

	private final ReentrantLock lock = new ReentrantLock();

	ConsumerMeter(ConsumerMetrics metrics, int consumers) {
		this.metrics = metrics;
		this.consumers = consumers;
	}

	/** Wraps a listener and reports the messages that it processes. */
	ChannelAwareMessageListener around(ChannelAwareMessageListener listener) {
		if (this.metrics == ConsumerMetrics.NONE) {
			return listener;
		}
		return (message, consumer) -> {
			Channel channel = BrokerDelivery.physical(Objects.requireNonNull(consumer));
			Slot slot = take(channel);
			this.metrics.begin(slot.number, channel);
			try {
				listener.onMessage(message, consumer);
			}
			finally {
				this.metrics.end(slot.number);
				slot.busy = false;
			}
		};
	}

	private Slot take(Channel channel) {
		this.lock.lock();
		try {
			Slot slot = slot(channel);
			slot.channel = channel;
			slot.busy = true;
			slot.used = System.nanoTime();
			return slot;
		}
		finally {
			this.lock.unlock();
		}
	}

	private Slot slot(Channel channel) {
		Slot idlest = null;
		for (Slot slot : this.slots) {
			if (slot.channel == channel) {
				return slot;
			}
			if (!slot.busy && (idlest == null || slot.used - idlest.used < 0)) {
				idlest = slot;
			}
		}
		if (idlest != null && this.slots.size() >= this.consumers) {
			return idlest;
		}
		Slot added = new Slot(this.slots.size(), channel);
		this.slots.add(added);
		return added;
	}

	/**
	 * A number, and the channel of the consumer that has it.
	 */
	private static final class Slot {

		private final int number;

		private Channel channel;

		private volatile boolean busy;

		/** When its consumer last began a message. */
		private long used;

		Slot(int number, Channel channel) {
			this.number = number;
			this.channel = channel;
		}

	}

}
