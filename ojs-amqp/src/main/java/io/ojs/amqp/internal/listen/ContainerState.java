package io.ojs.amqp.internal.listen;

import java.util.List;

/**
 * The state of a listener container.
 *
 * @param amqpQueues the AMQP queues that it consumes from
 * @param running whether it runs
 * @param consumers how many of its consumers are active
 */
public record ContainerState(List<String> amqpQueues, boolean running, int consumers) {
}
