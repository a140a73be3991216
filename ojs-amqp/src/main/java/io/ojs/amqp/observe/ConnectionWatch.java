package io.ojs.amqp.observe;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.connection.ChannelListener;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionListener;
import org.springframework.core.NestedExceptionUtils;

/**
 * Knows which connections and channels of a connection factory are open, those for
 * publishing included. Each is counted from when it is opened until the client itself
 * says that it is closed, whoever closed it.
 */
public final class ConnectionWatch {

	private final Clock clock;

	private final String virtualHost;

	private final Map<com.rabbitmq.client.Connection, ConnectionState> open = new ConcurrentHashMap<>();

	/** Lost, and no other opened since. */
	private final List<ConnectionState> lost = new CopyOnWriteArrayList<>();

	private final Set<Channel> channels = ConcurrentHashMap.newKeySet();

	private volatile @Nullable ConnectionFailure lastFailure;

	/**
	 * Begins to watch.
	 * @param connectionFactory what to watch; without a channel listener of its own, such
	 * as one that is not Spring's, its channels are not known
	 * @param clock tells the time
	 */
	public ConnectionWatch(ConnectionFactory connectionFactory, Clock clock) {
		this.clock = clock;
		this.virtualHost = connectionFactory.getVirtualHost();
		if (connectionFactory instanceof AbstractConnectionFactory withChannels) {
			withChannels.addChannelListener(new Channels());
		}
		connectionFactory.addConnectionListener(new Connections());
	}

	/**
	 * Connections that are open.
	 * @return their states
	 */
	public List<ConnectionState> connections() {
		return List.copyOf(this.open.values());
	}

	/**
	 * Connections that were lost since one was last opened.
	 * @return their states
	 */
	public List<ConnectionState> lost() {
		return List.copyOf(this.lost);
	}

	/**
	 * How many channels are open.
	 * @return 0 or more
	 */
	public int channels() {
		return this.channels.size();
	}

	/**
	 * The last time that a connection was lost or could not be made.
	 * @return the failure, or {@code null} if there was none
	 */
	public @Nullable ConnectionFailure lastFailure() {
		return this.lastFailure;
	}

	private void failed(Throwable cause) {
		String message = NestedExceptionUtils.getMostSpecificCause(cause).toString();
		this.lastFailure = new ConnectionFailure(this.clock.instant(), message);
	}

	/**
	 * Hears of connections.
	 */
	private final class Connections implements ConnectionListener {

		@Override
		public void onCreate(Connection connection) {
			com.rabbitmq.client.Connection opened = connection.getDelegate();
			if (opened == null) {
				return;
			}
			Map<String, Object> broker = opened.getServerProperties();
			ConnectionWatch.this.lost.clear();
			ConnectionWatch.this.open.put(opened,
					new ConnectionState(opened.getClientProvidedName(), true, ConnectionWatch.this.clock.instant(),
							opened.getAddress().getHostAddress(), opened.getPort(), ConnectionWatch.this.virtualHost,
							text(broker.get("product")), text(broker.get("version"))));
			// If it is closed by now, the listener is called at once.
			opened.addShutdownListener((signal) -> closed(opened, signal));
		}

		private static @Nullable String text(@Nullable Object value) {
			return (value != null) ? value.toString() : null;
		}

		private void closed(com.rabbitmq.client.Connection connection, ShutdownSignalException signal) {
			ConnectionState state = ConnectionWatch.this.open.remove(connection);
			if (!signal.isInitiatedByApplication()) {
				failed(signal);
				if (state != null) {
					ConnectionWatch.this.lost.add(state.lost(ConnectionWatch.this.clock.instant()));
				}
			}
		}

		@Override
		public void onFailed(Exception exception) {
			failed(exception);
		}

	}

	/**
	 * Hears of channels.
	 */
	private final class Channels implements ChannelListener {

		@Override
		public void onCreate(Channel channel, boolean transactional) {
			ConnectionWatch.this.channels.add(channel);
			channel.addShutdownListener((signal) -> ConnectionWatch.this.channels.remove(channel));
		}

	}

}
