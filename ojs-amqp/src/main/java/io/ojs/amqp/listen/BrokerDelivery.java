package io.ojs.amqp.listen;

import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import io.ojs.amqp.delay.DelayLevels;
import io.ojs.amqp.message.JobMessages;
import io.ojs.amqp.topology.Shard;
import io.ojs.job.ForeignText;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.connection.ChannelProxy;

/**
 * A message that the broker handed out and that has to be settled.
 *
 * @param shard what of an OJS queue it came from
 * @param channel the channel that it came over, and must be settled on
 * @param message the message
 */
record BrokerDelivery(Shard shard, Channel channel, Message message) implements Delivery {

	@Override
	public String queue() {
		return this.shard.queue();
	}

	BrokerDelivery {
		// What the container hands out is a proxy. Its channel is closed for good when
		// the connection is lost, but a call of the proxy then opens another one,
		// and a connection for it: each consumer at once, whatever the backoff says.
		channel = physical(channel);
	}

	static Channel physical(Channel channel) {
		Channel physical = (channel instanceof ChannelProxy proxy) ? proxy.getTargetChannel() : null;
		return (physical != null) ? physical : channel;
	}

	long tag() {
		return this.message.getMessageProperties().getDeliveryTag();
	}

	BasicProperties properties() {
		return ((DeliveredProperties) this.message.getMessageProperties()).received();
	}

	/**
	 * What the job was first published with. Out of a retry queue a job comes with the
	 * name of its queue, and so does one that was due later, whose own key is the
	 * broker's affair.
	 */
	String routingKey() {
		String key = this.message.getMessageProperties().getReceivedRoutingKey();
		return (key == null || DelayLevels.isRoutingKey(key, this.shard.name())) ? this.shard.name() : key;
	}

	byte[] body() {
		return this.message.getBody();
	}

	/** The sender may have put anything into it. */
	@Override
	public String shownId() {
		return ForeignText.show(properties().getMessageId());
	}

	/**
	 * The longest frame that the broker takes, in bytes; 0 is no limit. What it brought
	 * fitted, but what is added may not.
	 */
	int frameMax() {
		return this.channel.getConnection().getFrameMax();
	}

	boolean isLost() {
		return !this.channel.isOpen();
	}

	@Override
	public boolean hasMessage() {
		return !isLost();
	}

	@Override
	public Map<String, ?> headers() {
		Map<String, Object> headers = properties().getHeaders();
		return (headers != null) ? headers : Map.of();
	}

	@Override
	public @Nullable String producer() {
		return JobMessages.producer(properties());
	}

}
