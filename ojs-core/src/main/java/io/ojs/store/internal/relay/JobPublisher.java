package io.ojs.store.internal.relay;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Publishes jobs that the store keeps. It may fail: the relay publishes jobs again that
 * are not confirmed.
 */
public interface JobPublisher {

	/**
	 * Whether the broker takes jobs. Without a connection, starts to open one. Takes some
	 * tenths of a second at most, except for the first attempt to connect.
	 * @return whether to publish
	 */
	boolean isReady();

	/**
	 * Publishes jobs straight to their queues, in this order. Does not wait for the
	 * answers of the broker, nor for a connection.
	 * @return which jobs the broker has confirmed, and why it did not confirm others;
	 * completes when the broker has answered or the timeout is over, and never with an
	 * exception. A thread that reads the connection must not wait for it
	 */
	CompletableFuture<PublishReport> publish(List<RelayedJob> jobs);

	/**
	 * Counts the messages of a queue that the broker has not delivered.
	 * @return the number of messages; 0 if the broker does not have the queue
	 * @throws RuntimeException if the broker does not answer
	 */
	long waiting(String queue);

	/**
	 * Counts the consumers of a queue, of this library and of other programs.
	 * @return the number of consumers; 0 if the broker does not have the queue
	 * @throws RuntimeException if the broker does not answer
	 */
	int consumers(String queue);

	/**
	 * Returns how many messages each consumer of a queue may have received in advance,
	 * beside the one whose job it runs. The broker does not tell the actual number.
	 * @return the largest number, 0 or more
	 */
	default int prefetched(String queue) {
		return 0;
	}

}
