package io.ojs.queue;

/**
 * The answer to the deletion of a queue (OJS Queue Configuration §9.4). The queue is
 * draining, and is deleted once it is empty.
 *
 * @param queue the queue
 * @param strategy what happens to its jobs
 * @param jobsAffected the number of jobs that were discarded or moved
 * @param state the state of the queue now
 */
public record QueueDeletion(String queue, DeletionStrategy strategy, long jobsAffected, QueueState state) {
}
