package io.ojs.amqp.internal.listen;

import java.io.Serial;
import java.util.Date;

import com.rabbitmq.client.AMQP.BasicProperties;

import org.springframework.amqp.core.MessageProperties;

/**
 * The properties of a delivery, exactly as they came.
 */
final class DeliveredProperties extends MessageProperties {

	@Serial
	private static final long serialVersionUID = 1L;

	private final transient BasicProperties received;

	DeliveredProperties(BasicProperties received) {
		this.received = received;
		super.setMessageId(received.getMessageId());
		super.setType(received.getType());
		super.setReplyTo(received.getReplyTo());
		super.setCorrelationId(received.getCorrelationId());
		super.setTimestamp((received.getTimestamp() != null) ? new Date(received.getTimestamp().getTime()) : null);
	}

	BasicProperties received() {
		return this.received;
	}

}
