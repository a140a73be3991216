package io.ojs.amqp;

/**
 * Names of exchanges and queues on the broker (AMQP binding §4.1).
 */
public interface OjsNaming {

	/**
	 * The exchange that producers publish jobs to.
	 * @return its name
	 */
	String directExchange();

	/**
	 * The exchange that routes to the dead letter queues.
	 * @return its name
	 */
	String deadLetterExchange();

	/**
	 * The exchange that routes to the retry queues.
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
	 * The exchange that routes due jobs from the delay levels to the job queues.
	 * @return its name
	 */
	String dueExchange();

	/**
	 * The control queue of an OJS queue, which takes requests about its jobs.
	 * @param queue the OJS queue
	 * @return its name, and its routing key
	 */
	String controlQueue(String queue);

	/**
	 * The exchange over which workers pass such requests to each other.
	 * @return its name
	 */
	String controlExchange();

	/**
	 * The AMQP queue of one worker process.
	 * @param workerId the id of the process
	 * @return its name
	 */
	String workerQueue(String workerId);

	/**
	 * The AMQP queue for messages from the dead letter queue of an OJS queue that the job
	 * store cannot take in, such as messages that are no jobs.
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
	 * The name of a shard of an OJS queue on the broker. It takes the place of the
	 * queue's name in the names of AMQP queues and in routing keys.
	 * @param queue the OJS queue, one that is ordered by key
	 * @param shard the shard, from 0
	 * @return a name that no OJS queue can have
	 */
	default String shard(String queue, int shard) {
		return queue + "_" + shard;
	}

	/**
	 * The routing key of a retry queue.
	 * @param queue the OJS queue
	 * @param widthMillis the width of the retry queue
	 * @return the key
	 */
	default String retryRoutingKey(String queue, long widthMillis) {
		return queue + "." + widthMillis;
	}

}
