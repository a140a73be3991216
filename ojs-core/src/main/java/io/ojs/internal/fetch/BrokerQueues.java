package io.ojs.internal.fetch;

import java.util.List;
import java.util.function.Consumer;

/**
 * Counts consumers of the broker's queues and removes messages from them, for queues
 * whose jobs workers fetch.
 */
public interface BrokerQueues {

	/**
	 * Whether the broker can be asked. Does not wait.
	 * @return whether there is a connection
	 */
	boolean isReady();

	/**
	 * Counts the consumers of a queue, of this library and of other programs.
	 * @return the number of consumers, in all shards of the queue; 0 if the broker does
	 * not have it
	 * @throws RuntimeException if the broker does not answer
	 */
	int consumers(String queue);

	/**
	 * Removes messages from a queue. A message that is not a job goes to the dead letter
	 * queue.
	 * @param keeper keeps the jobs of some messages at a time, before these are acked; if
	 * it throws, the broker keeps them
	 * @throws RuntimeException if the broker does not answer, or if the keeper throws
	 */
	int sweep(String queue, Consumer<List<TakenMessage>> keeper);

}
