package io.ojs.amqp.message;

import com.rabbitmq.client.AMQP.BasicProperties;

/**
 * What is to be published, and where.
 *
 * @param exchange the exchange
 * @param routingKey the routing key
 * @param properties properties and headers, exactly as they go over the wire
 * @param body the body
 */
public record OutgoingMessage(String exchange, String routingKey, BasicProperties properties, byte[] body) {
}
