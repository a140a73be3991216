package io.ojs.amqp.listen;

import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;

/**
 * Changes the listener container of a queue before it starts.
 */
@FunctionalInterface
public interface JobListenerContainerCustomizer {

	/**
	 * Changes a container.
	 * @param queue the OJS queue that it works
	 * @param container the container, with all that the configuration says
	 */
	void customize(String queue, SimpleMessageListenerContainer container);

}
