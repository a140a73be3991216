package io.ojs.amqp.observe;

/**
 * What the broker says of a queue.
 *
 * @param messages messages that are ready
 * @param consumers consumers, of all processes
 */
public record QueueCounts(long messages, long consumers) {
}
