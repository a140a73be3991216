package io.ojs.store.relay;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Gets jobs to the broker that are in the store already, so that it need not try hard:
 * what is not confirmed is published again.
 */
public interface JobPublisher {

	/**
	 * Whether the broker takes jobs. If there is no connection, it is being opened from
	 * now on. Takes some tenths of a second at most, once the first attempt of all is
	 * over.
	 * @return whether to publish
	 */
	boolean isReady();

	/**
	 * Publishes jobs straight to their queues, in this order, and does not wait for the
	 * broker's answers, nor for a connection when there is none.
	 * @param jobs the jobs
	 * @return which of them the broker has confirmed, and why not the others, once it has
	 * answered or the time to do so is over; never an exception. Not to be waited for by
	 * a thread that reads the connection
	 */
	CompletableFuture<PublishReport> publish(List<RelayedJob> jobs);

	/**
	 * Counts the messages that wait at the broker to be delivered.
	 * @param queue the OJS queue
	 * @return how many; none if it does not exist there
	 * @throws RuntimeException if the broker does not say
	 */
	long waiting(String queue);

	/**
	 * Counts those that the broker delivers messages of a queue to, whatever programs
	 * they are.
	 * @param queue the OJS queue
	 * @return how many consumers it has; none if it does not exist there
	 * @throws RuntimeException if the broker does not say
	 */
	int consumers(String queue);

	/**
	 * How many messages each consumer of a queue may have been given in advance, beside
	 * the one whose job it runs. The broker does not tell how many it really has.
	 * @param queue the OJS queue
	 * @return how many at most, 0 or more
	 */
	default int prefetched(String queue) {
		return 0;
	}

}
