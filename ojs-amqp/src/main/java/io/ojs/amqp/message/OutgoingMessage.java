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
 * @param queue the OJS queue that it belongs to, for meters
 * @param purpose why it is published, for meters
 */
public record OutgoingMessage(String exchange, String routingKey, BasicProperties properties, byte[] body,
		boolean mandatory, String queue, Purpose purpose) {

	/**
	 * A message straight into a job queue, whose name is the routing key.
	 * @param exchange the exchange
	 * @param routingKey the routing key
	 * @param properties properties and headers, exactly as they go over the wire
	 * @param body the body
	 */
	public OutgoingMessage(String exchange, String routingKey, BasicProperties properties, byte[] body) {
		this(exchange, routingKey, properties, body, routingKey, Purpose.JOB);
	}

	/**
	 * A message that has to lead somewhere.
	 * @param exchange the exchange
	 * @param routingKey the routing key
	 * @param properties properties and headers, exactly as they go over the wire
	 * @param body the body
	 * @param queue the OJS queue that it belongs to, for meters
	 * @param purpose why it is published, for meters
	 */
	public OutgoingMessage(String exchange, String routingKey, BasicProperties properties, byte[] body, String queue,
			Purpose purpose) {
		this(exchange, routingKey, properties, body, true, queue, purpose);
	}

}
