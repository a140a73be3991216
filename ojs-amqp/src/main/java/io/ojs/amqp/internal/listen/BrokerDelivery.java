package io.ojs.amqp.internal.listen;

import java.util.Map;
import java.util.Objects;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import io.ojs.amqp.internal.connect.PhysicalChannel;
import io.ojs.amqp.internal.delay.DelayLevels;
import io.ojs.amqp.internal.message.JobMessages;
import io.ojs.amqp.internal.topology.Shard;
import io.ojs.job.internal.ForeignText;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;

/**
 * A message that the broker delivered and that this worker has to settle.
 *
 * @param shard the shard that the message came from
 * @param channel the channel that it came over and that settles it
 * @param message the message
 */
record BrokerDelivery(Shard shard, Channel channel, Message message) implements Delivery {

	@Override
	public String queue() {
		return this.shard.queue();
	}

	BrokerDelivery {
		channel = physical(channel);
	}

	static Channel physical(Channel channel) {
		return Objects.requireNonNullElse(PhysicalChannel.of(channel), channel);
	}

	long tag() {
		return this.message.getMessageProperties().getDeliveryTag();
	}

	BasicProperties properties() {
		return ((DeliveredProperties) this.message.getMessageProperties()).received();
	}

	/**
	 * The routing key of the job's first publish. A job from a retry queue arrives with
	 * the name of its shard. So does a job from the delay levels, since its own key has
	 * meaning only there.
	 */
	String routingKey() {
		String key = this.message.getMessageProperties().getReceivedRoutingKey();
		return (key == null || DelayLevels.isRoutingKey(key, this.shard.name())) ? this.shard.name() : key;
	}

	byte[] body() {
		return this.message.getBody();
	}

	/** Escaped, since the producer may have written anything. */
	@Override
	public String shownId() {
		return ForeignText.show(properties().getMessageId());
	}

	/**
	 * The longest frame that the broker takes, in bytes; 0 for no limit. Headers that are
	 * added may exceed it.
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
