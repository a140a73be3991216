package io.ojs.amqp.internal.topology;

/**
 * A part of an OJS queue that has its own AMQP queue, retry queues and bindings. Most OJS
 * queues have one shard, which is the whole queue. A queue that is ordered by key has
 * several. The dead letter queue belongs to the OJS queue, not to its shards.
 *
 * @param queue the OJS queue
 * @param name the name of the shard on the broker. It is the routing key of the shard's
 * jobs and part of the names of its AMQP queues
 */
public record Shard(String queue, String name) {

	/**
	 * The shard that is a whole queue.
	 * @return its only shard
	 */
	public static Shard whole(String queue) {
		return new Shard(queue, queue);
	}

}
