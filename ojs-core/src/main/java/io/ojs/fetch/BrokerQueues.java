package io.ojs.fetch;

import java.util.List;
import java.util.function.Consumer;

/**
 * Looks into the broker's queues for those who do without them.
 */
public interface BrokerQueues {

	/**
	 * Whether the broker can be asked. Waits for nobody.
	 * @return whether there is a connection
	 */
	boolean isReady();

	/**
	 * Counts those that a queue's messages are delivered to, whatever their language.
	 * @param queue the OJS queue
	 * @return how many consumers it has, in all of its shards; 0 if it does not exist
	 * @throws RuntimeException if the broker does not say
	 */
	int consumers(String queue);

	/**
	 * Removes messages from a queue. What is no job goes where dead letters go.
	 * @param queue the OJS queue
	 * @param keeper keeps what they brought, some at a time, before they are acked. If it
	 * throws, the broker keeps them
	 * @return how many there were
	 * @throws RuntimeException if the broker does not answer, or what the keeper throws
	 */
	int sweep(String queue, Consumer<List<TakenMessage>> keeper);

}
