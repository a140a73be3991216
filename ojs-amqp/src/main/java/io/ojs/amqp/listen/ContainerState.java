package io.ojs.amqp.listen;

import java.util.List;

/**
 * How a listener container is.
 *
 * @param amqpQueues the AMQP queues that it works
 * @param running whether it runs
 * @param consumers how many of its consumers are at their queue now
 */
public record ContainerState(List<String> amqpQueues, boolean running, int consumers) {
}
