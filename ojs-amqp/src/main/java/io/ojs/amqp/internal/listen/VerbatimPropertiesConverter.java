package io.ojs.amqp.internal.listen;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Envelope;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.support.MessagePropertiesConverter;

/**
 * Keeps the properties of a message as they came. The default converter adds missing ones
 * and changes types. It also throws at unknown values, outside the listener, where no
 * message could be dead-lettered.
 */
final class VerbatimPropertiesConverter implements MessagePropertiesConverter {

	@Override
	public MessageProperties toMessageProperties(BasicProperties source, @Nullable Envelope envelope, String charset) {
		MessageProperties properties = new DeliveredProperties(source);
		if (envelope != null) {
			properties.setReceivedExchange(envelope.getExchange());
			properties.setReceivedRoutingKey(envelope.getRoutingKey());
			properties.setRedelivered(envelope.isRedeliver());
			properties.setDeliveryTag(envelope.getDeliveryTag());
		}
		return properties;
	}

	@Override
	public BasicProperties fromMessageProperties(MessageProperties source, String charset) {
		return ((DeliveredProperties) source).received();
	}

}
