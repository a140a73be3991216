package io.ojs.amqp.message;

import com.rabbitmq.client.AMQP.BasicProperties;

/**
 * What is to be published, and where.
 *
 * @param exchange the exchange
 * @param routingKey the routing key
 * @param properties properties and headers, exactly as they go over the wire
 * @param body the body
 * @param mandatory whether the broker returns it if it leads nowhere
 */
public record OutgoingMessage(String exchange, String routingKey, BasicProperties properties, byte[] body,
		boolean mandatory) {

	/**
	 * What is to be published and has to lead somewhere.
	 * @param exchange the exchange
	 * @param routingKey the routing key
	 * @param properties properties and headers
	 * @param body the body
	 */
	public OutgoingMessage(String exchange, String routingKey, BasicProperties properties, byte[] body) {
		this(exchange, routingKey, properties, body, true);
	}

}
