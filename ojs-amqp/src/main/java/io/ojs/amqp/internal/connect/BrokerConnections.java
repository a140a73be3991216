package io.ojs.amqp.internal.connect;

import java.time.Clock;

import io.ojs.amqp.internal.write.CoalescingSocketFactory;

import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * The two connections of an application, one to consume and one to publish. The broker
 * can block publishers without blocking acks.
 *
 * @param consuming delivers jobs and declares queues
 * @param publishing publishes messages
 */
public record BrokerConnections(BrokerConnection consuming, BrokerConnection publishing) implements AutoCloseable {

	public BrokerConnections(ConnectionFactory connectionFactory, ReconnectBackoff backoff, ConnectionEvents events,
			Clock clock) {
		this(new BrokerConnection("consuming", coalescing(connectionFactory), backoff, events, clock),
				new BrokerConnection("publishing", coalescing(publishing(connectionFactory)), backoff, events, clock));
	}

	/**
	 * Has acks and batches written together, unless the application has its own sockets.
	 */
	private static ConnectionFactory coalescing(ConnectionFactory connectionFactory) {
		if (connectionFactory instanceof AbstractConnectionFactory known) {
			CoalescingSocketFactory.replaceDefault(known.getRabbitConnectionFactory());
		}
		return connectionFactory;
	}

	/** Some connection factories have only one connection. */
	private static ConnectionFactory publishing(ConnectionFactory connectionFactory) {
		ConnectionFactory own = connectionFactory.getPublisherConnectionFactory();
		return (own != null) ? own : connectionFactory;
	}

	@Override
	public void close() {
		this.consuming.close();
		this.publishing.close();
	}

}
