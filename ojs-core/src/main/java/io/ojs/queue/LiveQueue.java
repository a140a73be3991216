package io.ojs.queue;

/**
 * What counts for a queue now.
 *
 * @param name its name
 * @param state whether it takes jobs and has them worked
 * @param config what counts: all layers
 */
public record LiveQueue(String name, QueueState state, QueueConfig config) {
}
