package io.ojs.internal.fetch;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import io.ojs.queue.internal.LiveQueue;

/**
 * Knows from which queues workers of all instances fetch, and keeps messages of those
 * queues that have no consumer.
 */
public interface FetchedQueueStore {

	/** Records that workers fetch from queues. */
	void fetched(Collection<String> queues, Instant now);

	/**
	 * Returns the queues that workers fetch from.
	 * @param since only queues with a fetch since this time
	 * @return the time of the last fetch from each
	 */
	Map<String, Instant> fetchedSince(Instant since);

	/**
	 * Removes the record that workers fetched from a queue.
	 * @param last the time of the last known fetch; a later fetch keeps the record
	 */
	void forget(String queue, Instant last);

	/**
	 * Keeps the jobs of messages that are removed from the broker. A job that the store
	 * does not know is adopted: it is available, or a dead letter if its queue does not
	 * take its type or its producer. It is not adopted if this store has published it or
	 * has deleted it lately, or if its type is reserved for webhooks. A known job that is
	 * available is published again later. All other jobs are left as they are.
	 * @param relayAt when the relay publishes the jobs, unless a worker has fetched them
	 * by then
	 */
	void keep(LiveQueue queue, List<TakenMessage> messages, Instant now, Instant relayAt);

	/**
	 * Makes the relay publish the jobs of a queue that the store has kept back.
	 * @param after only available jobs with a later relay time
	 */
	int release(String queue, Instant now, Instant after);

}
