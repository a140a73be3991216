package io.ojs.queue;

/**
 * A number of jobs in a queue and their size.
 *
 * @param jobs the number of jobs that have not ended, 0 or more
 * @param bytes the total size of their envelopes, 0 or more
 */
public record QueueDepth(long jobs, long bytes) {
}
