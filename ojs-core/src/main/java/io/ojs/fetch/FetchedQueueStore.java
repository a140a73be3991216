package io.ojs.fetch;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import io.ojs.queue.LiveQueue;

/**
 * Knows which queues workers fetch from, for all instances, and keeps the jobs of those
 * that the broker has no consumer of.
 */
public interface FetchedQueueStore {

	/**
	 * Notes that workers fetch from queues.
	 * @param queues the queues
	 * @param now when
	 */
	void fetched(Collection<String> queues, Instant now);

	/**
	 * Tells which queues are fetched from.
	 * @param since those that were since
	 * @return when each was last
	 */
	Map<String, Instant> fetchedSince(Instant since);

	/**
	 * Forgets that workers fetched from a queue.
	 * @param queue the queue
	 * @param last when they did last; nothing is forgotten if they did so since
	 */
	void forget(String queue, Instant last);

	/**
	 * Keeps messages of a queue that are to be removed from the broker. Jobs that the
	 * store does not know are adopted, unless it has published them itself and deleted
	 * them since: available, or as dead letters if their queue does not take their type
	 * or their producer. Those that it knows and that are available will be published
	 * again; all others are in somebody's hands already.
	 * @param queue the queue that they came from
	 * @param messages what they brought
	 * @param now the present
	 * @param relayAt when the relay takes care of them, unless somebody has run them by
	 * then
	 */
	void keep(LiveQueue queue, List<TakenMessage> messages, Instant now, Instant relayAt);

	/**
	 * Has the relay publish what was kept of a queue.
	 * @param queue the queue
	 * @param now when
	 * @param after those that the relay was to take care of later than that
	 * @return how many jobs
	 */
	int release(String queue, Instant now, Instant after);

}
