package io.ojs.amqp.internal.message;

import com.rabbitmq.client.AMQP.BasicProperties;

/**
 * A message to publish.
 *
 * @param exchange the exchange
 * @param routingKey the routing key
 * @param properties properties and headers, exactly as they go over the wire
 * @param body the body
 * @param mandatory whether the broker returns the message if no queue takes it
 * @param queue the OJS queue that it belongs to, for meters
 * @param purpose why it is published, for meters
 */
public record OutgoingMessage(String exchange, String routingKey, BasicProperties properties, byte[] body,
		boolean mandatory, String queue, Purpose purpose) {

	/** Creates a mandatory message to a job queue, whose name is the routing key. */
	public OutgoingMessage(String exchange, String routingKey, BasicProperties properties, byte[] body) {
		this(exchange, routingKey, properties, body, routingKey, Purpose.JOB);
	}

	public OutgoingMessage(String exchange, String routingKey, BasicProperties properties, byte[] body, String queue,
			Purpose purpose) {
		this(exchange, routingKey, properties, body, true, queue, purpose);
	}

}
