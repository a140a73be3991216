package io.ojs.amqp.listen;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import io.ojs.amqp.delay.DelayLevels;
import io.ojs.amqp.topology.Shard;
import io.ojs.job.ForeignText;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.connection.ChannelProxy;

/**
 * A message that the broker handed out and that has to be settled.
 *
 * @param shard what of an OJS queue it came from
 * @param channel the channel that it came over, and must be settled on
 * @param message the message
 */
record Delivery(Shard shard, Channel channel, Message message) {

	/** The OJS queue that it came from. */
	String queue() {
		return this.shard.queue();
	}

	Delivery {
		// What the container hands out is a proxy. Its channel is closed for good when
		// the connection is lost, but whoever touches the proxy then opens another one,
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
	 * What the job was first published with. Out of a lane a job comes with the name of
	 * its queue, and so does one that was due later, whose own key is the broker's
	 * affair.
	 */
	String routingKey() {
		String key = this.message.getMessageProperties().getReceivedRoutingKey();
		return (key == null || DelayLevels.isRoutingKey(key, this.shard.name())) ? this.shard.name() : key;
	}

	byte[] body() {
		return this.message.getBody();
	}

	/** The message's id for a log: whoever sent it may have put anything into it. */
	String shownId() {
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

}
