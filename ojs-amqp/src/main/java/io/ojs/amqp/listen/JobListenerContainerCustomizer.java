package io.ojs.amqp.listen;

import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;

/**
 * Changes the listener container of a queue before it starts. Advice surrounds the whole
 * of a delivery, its settlement included: it does not see what handlers throw, and has to
 * call the listener, or the delivery stays unsettled.
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
