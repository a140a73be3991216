package io.ojs.amqp.internal.observe;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.MetricsCollector;
import com.rabbitmq.client.NoOpMetricsCollector;
import com.rabbitmq.client.impl.recovery.AutorecoveringChannel;

import org.springframework.amqp.rabbit.connection.PublisherCallbackChannel;

/**
 * Counts the delivered and unsettled messages of each channel. Only the client knows
 * them, since the listener container keeps prefetched messages in a queue of its own. The
 * previous collector of the connection factory still receives all calls.
 */
final class DeliveryWatch implements MetricsCollector {

	private final MetricsCollector next;

	private final Map<Channel, AtomicInteger> unacked = new ConcurrentHashMap<>();

	private DeliveryWatch(MetricsCollector next) {
		this.next = next;
	}

	/**
	 * Begins to watch.
	 * @param connectionFactory the factory; connections that it opens from now on are
	 * watched
	 */
	static DeliveryWatch install(ConnectionFactory connectionFactory) {
		// A factory has no collector unless an application sets one.
		DeliveryWatch watch = new DeliveryWatch(
				Objects.requireNonNullElseGet(connectionFactory.getMetricsCollector(), NoOpMetricsCollector::new));
		connectionFactory.setMetricsCollector(watch);
		return watch;
	}

	/**
	 * Counts the messages of a channel. The number is exact if they are settled one by
	 * one, as jobs are.
	 * @return 0 or more; 0 if the channel is closed, or was opened before the watch began
	 */
	int unacked(Channel channel) {
		AtomicInteger count = this.unacked.get(client(channel));
		return (count != null) ? Math.max(0, count.get()) : 0;
	}

	/** The channel object of the client itself, without wrappers. */
	private static Channel client(Channel channel) {
		Channel inner = (channel instanceof PublisherCallbackChannel confirming) ? confirming.getDelegate() : channel;
		return (inner instanceof AutorecoveringChannel recovering) ? recovering.getDelegate() : inner;
	}

	@Override
	public void newChannel(Channel channel) {
		this.unacked.put(channel, new AtomicInteger());
		// If the channel is closed already, it calls the listener at once.
		channel.addShutdownListener((signal) -> this.unacked.remove(channel));
		this.next.newChannel(channel);
	}

	@Override
	public void consumedMessage(Channel channel, long deliveryTag, String consumerTag) {
		delivered(channel);
		this.next.consumedMessage(channel, deliveryTag, consumerTag);
	}

	@Override
	public void consumedMessage(Channel channel, long deliveryTag, boolean autoAck) {
		if (!autoAck) {
			delivered(channel);
		}
		this.next.consumedMessage(channel, deliveryTag, autoAck);
	}

	@Override
	public void basicConsume(Channel channel, String consumerTag, boolean autoAck) {
		if (autoAck) {
			this.unacked.remove(channel);
		}
		this.next.basicConsume(channel, consumerTag, autoAck);
	}

	@Override
	public void basicAck(Channel channel, long deliveryTag, boolean multiple) {
		if (multiple) {
			this.unacked.remove(channel);
		}
		else {
			settled(channel);
		}
		this.next.basicAck(channel, deliveryTag, multiple);
	}

	@Override
	public void basicNack(Channel channel, long deliveryTag) {
		settled(channel);
		this.next.basicNack(channel, deliveryTag);
	}

	@Override
	public void basicNack(Channel channel, long deliveryTag, boolean requeue) {
		settled(channel);
		this.next.basicNack(channel, deliveryTag, requeue);
	}

	@Override
	public void basicReject(Channel channel, long deliveryTag) {
		settled(channel);
		this.next.basicReject(channel, deliveryTag);
	}

	@Override
	public void basicReject(Channel channel, long deliveryTag, boolean requeue) {
		settled(channel);
		this.next.basicReject(channel, deliveryTag, requeue);
	}

	private void delivered(Channel channel) {
		AtomicInteger count = this.unacked.get(channel);
		if (count != null) {
			count.incrementAndGet();
		}
	}

	private void settled(Channel channel) {
		AtomicInteger count = this.unacked.get(channel);
		if (count != null) {
			count.decrementAndGet();
		}
	}

	@Override
	public void newConnection(Connection connection) {
		this.next.newConnection(connection);
	}

	@Override
	public void closeConnection(Connection connection) {
		this.next.closeConnection(connection);
	}

	@Override
	public void closeChannel(Channel channel) {
		this.next.closeChannel(channel);
	}

	@Override
	public void basicPublish(Channel channel) {
		this.next.basicPublish(channel);
	}

	@Override
	public void basicPublishFailure(Channel channel, Throwable cause) {
		this.next.basicPublishFailure(channel, cause);
	}

	@Override
	public void basicPublishAck(Channel channel, long deliveryTag, boolean multiple) {
		this.next.basicPublishAck(channel, deliveryTag, multiple);
	}

	@Override
	public void basicPublishNack(Channel channel, long deliveryTag, boolean multiple) {
		this.next.basicPublishNack(channel, deliveryTag, multiple);
	}

	@Override
	public void basicPublishUnrouted(Channel channel) {
		this.next.basicPublishUnrouted(channel);
	}

	@Override
	public void basicCancel(Channel channel, String consumerTag) {
		this.next.basicCancel(channel, consumerTag);
	}

}
