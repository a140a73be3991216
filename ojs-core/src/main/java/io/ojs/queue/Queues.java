package io.ojs.queue;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Changes queues while they are in use (OJS Queue Configuration §5). Safe for use by many
 * threads. Each change has its own transaction, even if the caller is in one. It applies
 * in this process at once, and in other processes within two seconds.
 */
public interface Queues {

	/**
	 * Creates a queue (§5.2). A queue that a job, a property or a handler has created,
	 * and that was not configured since, can be created too; so can a deleted queue.
	 * @param name its name
	 * @param config its own configuration
	 * @return the queue
	 * @throws InvalidQueueConfigException if the name or the configuration breaks a rule
	 * @throws QueueExistsException if the queue has been configured already, or is not
	 * active
	 * @throws IllegalQueueStateException if its dead letter queue takes no jobs
	 */
	JobQueue create(String name, QueueConfig config);

	/**
	 * Returns a queue.
	 * @param name its name
	 * @return the queue
	 * @throws InvalidQueueConfigException if the name breaks a rule
	 * @throws QueueNotFoundException if the queue does not exist, or was deleted
	 */
	JobQueue get(String name);

	/**
	 * Lists all queues.
	 * @return the queues that are not deleted, by name
	 */
	List<JobQueue> list();

	/**
	 * Sets fields of the configuration of a queue; the others stay as they are. Creates
	 * the queue if it does not exist.
	 * @param name its name
	 * @param config the fields to set
	 * @return the queue
	 * @throws InvalidQueueConfigException if the name or the configuration breaks a rule
	 * @throws QueueNotFoundException if the queue was deleted
	 */
	JobQueue configure(String name, QueueConfig config);

	/**
	 * Changes the configuration of a queue. Creates the queue if it does not exist.
	 * @param name its name
	 * @param change receives its own configuration and returns the new one; called in a
	 * transaction
	 * @return the queue
	 * @throws InvalidQueueConfigException if the name or the result breaks a rule
	 * @throws QueueNotFoundException if the queue was deleted
	 */
	JobQueue configure(String name, UnaryOperator<QueueConfig> change);

	/**
	 * Returns the default policy (§7.1), the configuration of a queue without its own
	 * one.
	 * @return the policy, from all layers
	 */
	QueueConfig defaultPolicy();

	/**
	 * Sets the default policy (§7.1), over the application's properties for all queues.
	 * It replaces the current one.
	 * @param policy the policy; {@link QueueConfig#NONE} to remove it
	 * @return the policy, from all layers
	 */
	QueueConfig setDefaultPolicy(QueueConfig policy);

	/**
	 * Pauses a queue: workers begin no more of its jobs. Active jobs go on. A paused
	 * queue stays as it is.
	 * @param name its name
	 * @return the queue
	 * @throws QueueNotFoundException if the queue does not exist, or was deleted
	 * @throws IllegalQueueStateException if it is draining, or its delivery is hand-over
	 */
	JobQueue pause(String name);

	/**
	 * Resumes a queue: workers begin jobs of a paused queue again, and a draining queue
	 * takes jobs again and is not deleted. An active queue stays as it is.
	 * @param name its name
	 * @return the queue
	 * @throws QueueNotFoundException if the queue does not exist, or was deleted
	 */
	JobQueue resume(String name);

	/**
	 * Drains a queue: it takes no more jobs, workers run those that it has, and it is
	 * deleted when it is empty. A draining queue stays as it is.
	 * @param name its name
	 * @return the queue
	 * @throws QueueNotFoundException if the queue does not exist, or was deleted
	 */
	JobQueue drain(String name);

	/**
	 * Deletes a queue (§5.3). From now on it takes no more jobs. It is deleted once it is
	 * empty, after a few seconds at the earliest.
	 * @param name its name
	 * @param strategy what happens to its jobs
	 * @return the result
	 * @throws QueueNotFoundException if the queue does not exist, or was deleted already
	 * @throws QueueNotEmptyException if the strategy is to reject, and the queue has jobs
	 * @throws IllegalQueueStateException if the jobs are to move to a queue that takes
	 * none
	 * @throws InvalidQueueConfigException if a name breaks a rule, or both are the same
	 */
	QueueDeletion delete(String name, DeletionStrategy strategy);

	/**
	 * Counts the jobs of a queue.
	 * @param name its name
	 * @return the numbers
	 * @throws QueueNotFoundException if the queue does not exist, or was deleted
	 */
	QueueStats stats(String name);

}
