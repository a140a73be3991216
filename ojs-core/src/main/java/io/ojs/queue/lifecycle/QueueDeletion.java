package io.ojs.queue.lifecycle;

import io.ojs.queue.QueueState;

/**
 * What came of the wish to delete a queue (OJS Queue Configuration §9.4). The queue is
 * draining, and deleted once it is empty.
 *
 * @param queue the queue
 * @param strategy what was to become of its jobs
 * @param jobsAffected how many were discarded or moved
 * @param state the state that the queue is in now
 */
public record QueueDeletion(String queue, DeletionStrategy strategy, long jobsAffected, QueueState state) {
}
