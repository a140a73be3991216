package io.ojs.amqp.topology;

/**
 * A part of an OJS queue that has an AMQP queue of its own, with retry queues and
 * bindings of its own. Most queues have one, which is the whole of them; one that is
 * ordered by key has several. Dead letters belong to the queue, whatever the shard.
 *
 * @param queue the OJS queue
 * @param name what stands for it on the broker: it is the routing key of its jobs, and
 * makes the names of its AMQP queues as an OJS queue's name does
 */
public record Shard(String queue, String name) {

	/**
	 * All of a queue.
	 * @param queue the OJS queue
	 * @return its only shard
	 */
	public static Shard whole(String queue) {
		return new Shard(queue, queue);
	}

}
