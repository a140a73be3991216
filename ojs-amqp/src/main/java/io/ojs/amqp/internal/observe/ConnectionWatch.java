package io.ojs.amqp.internal.observe;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import com.rabbitmq.client.Channel;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.connection.ChannelListener;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionListener;

/**
 * Tracks the open connections and channels of a connection factory, those of its
 * publisher connection included. Each counts from its opening until the client reports
 * that it is closed, whichever side closed it.
 */
public final class ConnectionWatch {

	private final Clock clock;

	private final String virtualHost;

	private final Map<com.rabbitmq.client.Connection, OpenConnection> open = new ConcurrentHashMap<>();

	private final Set<Channel> channels = ConcurrentHashMap.newKeySet();

	private final @Nullable DeliveryWatch deliveries;

	/**
	 * Begins to watch a connection factory.
	 * @param connectionFactory the factory. If it does not extend Spring's
	 * {@code AbstractConnectionFactory}, its channels and their messages are not counted
	 */
	public ConnectionWatch(ConnectionFactory connectionFactory, Clock clock) {
		this.clock = clock;
		this.virtualHost = connectionFactory.getVirtualHost();
		if (connectionFactory instanceof AbstractConnectionFactory withChannels) {
			withChannels.addChannelListener(new Channels());
			this.deliveries = DeliveryWatch.install(withChannels.getRabbitConnectionFactory());
		}
		else {
			this.deliveries = null;
		}
		connectionFactory.addConnectionListener(new Connections());
	}

	/**
	 * The open connections.
	 * @return open connections, in no order
	 */
	public List<OpenConnection> connections() {
		return List.copyOf(this.open.values());
	}

	/**
	 * Counts the open channels.
	 * @return 0 or more
	 */
	public int channels() {
		return this.channels.size();
	}

	/**
	 * Counts the delivered and unsettled messages of a channel, prefetched ones included.
	 * @param channel a channel whose messages are settled one by one
	 * @return 0 or more; 0 if the number is not known
	 */
	int unacked(Channel channel) {
		return (this.deliveries != null) ? this.deliveries.unacked(channel) : 0;
	}

	private final class Connections implements ConnectionListener {

		@Override
		public void onCreate(Connection connection) {
			com.rabbitmq.client.Connection opened = connection.getDelegate();
			if (opened == null) {
				return;
			}
			Map<String, Object> broker = opened.getServerProperties();
			ConnectionWatch.this.open.put(opened,
					new OpenConnection(opened.getClientProvidedName(), ConnectionWatch.this.clock.instant(),
							opened.getAddress().getHostAddress(), opened.getPort(), ConnectionWatch.this.virtualHost,
							text(broker.get("product")), text(broker.get("version")),
							text(broker.get("cluster_name"))));
			// If the connection is closed already, it calls the listener at once.
			opened.addShutdownListener((signal) -> ConnectionWatch.this.open.remove(opened));
		}

		private static @Nullable String text(@Nullable Object value) {
			return (value != null) ? value.toString() : null;
		}

	}

	private final class Channels implements ChannelListener {

		@Override
		public void onCreate(Channel channel, boolean transactional) {
			ConnectionWatch.this.channels.add(channel);
			channel.addShutdownListener((signal) -> ConnectionWatch.this.channels.remove(channel));
		}

	}

}
