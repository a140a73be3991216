package io.ojs.amqp.internal.observe;

/**
 * The broker's counts for a queue.
 *
 * @param messages messages that are ready
 * @param consumers consumers of all processes
 */
public record QueueCounts(long messages, long consumers) {
}
