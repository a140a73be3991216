package io.ojs.amqp.listen;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Envelope;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.support.MessagePropertiesConverter;

/**
 * Keeps what came as it came. The default converter fills in what is missing, changes
 * types, and throws at values it does not know, outside the listener, where a message
 * could not be dead-lettered for it.
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
