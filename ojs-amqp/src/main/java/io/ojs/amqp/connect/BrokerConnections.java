package io.ojs.amqp.connect;

import java.time.Clock;

import io.ojs.amqp.write.CoalescingSocketFactory;

import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * The two connections of an application: one to consume, one to publish, so that a broker
 * that holds back publishers does not hold back acks.
 *
 * @param consuming where jobs come from, and what declares queues
 * @param publishing where messages go
 */
public record BrokerConnections(BrokerConnection consuming, BrokerConnection publishing) implements AutoCloseable {

	/**
	 * Creates them; each connects when somebody asks for it.
	 * @param connectionFactory opens them
	 * @param backoff how long to wait between attempts
	 * @param events is told what happens to them
	 * @param clock tells since when
	 */
	public BrokerConnections(ConnectionFactory connectionFactory, ReconnectBackoff backoff, ConnectionEvents events,
			Clock clock) {
		this(new BrokerConnection("consuming", coalescing(connectionFactory), backoff, events, clock),
				new BrokerConnection("publishing", coalescing(publishing(connectionFactory)), backoff, events, clock));
	}

	/** Has acks and batches written together, unless somebody else makes the sockets. */
	private static ConnectionFactory coalescing(ConnectionFactory connectionFactory) {
		if (connectionFactory instanceof AbstractConnectionFactory known) {
			CoalescingSocketFactory.replaceDefault(known.getRabbitConnectionFactory());
		}
		return connectionFactory;
	}

	/** Some connection factories have but one connection. */
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
