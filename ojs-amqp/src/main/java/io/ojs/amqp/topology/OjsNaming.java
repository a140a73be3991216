package io.ojs.amqp.topology;

/**
 * What the things on the broker are called (AMQP binding §4.1).
 */
public interface OjsNaming {

	/**
	 * The exchange that jobs are published to.
	 * @return its name
	 */
	String directExchange();

	/**
	 * The exchange that leads to the dead letter queues.
	 * @return its name
	 */
	String deadLetterExchange();

	/**
	 * The exchange that leads to the retry queues.
	 * @return its name
	 */
	String retryExchange();

	/**
	 * The AMQP queue of an OJS queue.
	 * @param queue the OJS queue
	 * @return its name
	 */
	String jobQueue(String queue);

	/**
	 * The AMQP queue that keeps the dead letters of an OJS queue.
	 * @param queue the OJS queue
	 * @return its name
	 */
	String deadLetterQueue(String queue);

	/**
	 * The AMQP queue in which retries of an OJS queue wait.
	 * @param queue the OJS queue
	 * @param widthMillis the width of the retry queue
	 * @return its name
	 */
	String retryQueue(String queue, long widthMillis);

	/**
	 * The exchange of a delay level.
	 * @param level the level, from 0
	 * @return its name
	 */
	String delayExchange(int level);

	/**
	 * The AMQP queue of a delay level.
	 * @param level the level, from 0
	 * @return its name
	 */
	String delayQueue(int level);

	/**
	 * The exchange from which job queues take what has waited long enough.
	 * @return its name
	 */
	String dueExchange();

	/**
	 * The AMQP queue for requests about the jobs of an OJS queue.
	 * @param queue the OJS queue
	 * @return its name, and its routing key
	 */
	String controlQueue(String queue);

	/**
	 * The exchange over which workers tell each other of such requests.
	 * @return its name
	 */
	String controlExchange();

	/**
	 * The AMQP queue of one process that works.
	 * @param workerId tells the process from others
	 * @return its name
	 */
	String workerQueue(String workerId);

	/**
	 * The AMQP queue for what was among the dead letters of an OJS queue and is no job:
	 * the job store has no place for it.
	 * @param queue the OJS queue
	 * @return a name that no job queue can have
	 */
	default String undecodableQueue(String queue) {
		return deadLetterQueue(queue) + "._undecodable";
	}

	/**
	 * The exchange of the plugin that delays messages.
	 * @return its name
	 */
	default String delayedExchange() {
		return directExchange() + ".delayed";
	}

	/**
	 * What stands for a shard of an OJS queue on the broker, wherever the queue's name
	 * does: in the names of its AMQP queues and in routing keys.
	 * @param queue the OJS queue, one that is ordered by key
	 * @param shard the shard, from 0
	 * @return a name that no OJS queue can have
	 */
	default String shard(String queue, int shard) {
		return queue + "_" + shard;
	}

	/**
	 * The routing key that leads to a retry queue.
	 * @param queue the OJS queue
	 * @param widthMillis the width of the retry queue
	 * @return the key
	 */
	default String retryRoutingKey(String queue, long widthMillis) {
		return queue + "." + widthMillis;
	}

}
