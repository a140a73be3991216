package io.ojs.amqp;

import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;

/**
 * Changes the listener container of a queue before it starts. Advice surrounds a whole
 * delivery, with its settlement. It does not see exceptions of handlers, and must call
 * the listener, or the delivery stays unsettled.
 */
@FunctionalInterface
public interface JobListenerContainerCustomizer {

	/**
	 * Changes a container.
	 * @param queue the OJS queue that it consumes from
	 * @param container the container, configured from the properties
	 */
	void customize(String queue, SimpleMessageListenerContainer container);

}
