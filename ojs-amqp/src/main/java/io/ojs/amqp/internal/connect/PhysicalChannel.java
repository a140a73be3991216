package io.ojs.amqp.internal.connect;

import com.rabbitmq.client.Channel;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.ChannelProxy;

/**
 * Finds the channel of the client behind a proxy of Spring AMQP. When that channel is
 * lost, a call of the proxy opens another one, and a connection for it without the
 * backoff. There a delivery tag belongs to another message.
 */
public final class PhysicalChannel {

	private PhysicalChannel() {
	}

	/**
	 * Returns the channel of the client.
	 * @return the channel, which stays closed once it is lost; {@code null} if the proxy
	 * has noticed the loss
	 */
	public static @Nullable Channel of(@Nullable Channel channel) {
		return (channel instanceof ChannelProxy proxy) ? proxy.getTargetChannel() : channel;
	}

}
