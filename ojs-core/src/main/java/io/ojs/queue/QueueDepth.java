package io.ojs.queue;

/**
 * How much is in a queue, or would have to leave it.
 *
 * @param jobs jobs that have not ended, 0 or more
 * @param bytes the size of their envelopes in all, 0 or more
 */
public record QueueDepth(long jobs, long bytes) {
}
