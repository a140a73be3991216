package io.ojs.store.relay;

import java.time.Instant;
import java.util.Map;

/**
 * Ends jobs in the store that belong to the broker from now on.
 */
public interface HandOverStore {

	/**
	 * Hands jobs over that the broker has confirmed. Those that
	 * {@link RelayStore#published} would leave alone are left alone.
	 * @param jobs the ids of the jobs, each with its {@link RelayedJob#until()}
	 * @param now the present
	 */
	void handOver(Map<String, Instant> jobs, Instant now);

	/**
	 * Hands jobs over that the broker has had for longer: those of a queue that was not
	 * handed over when they were published.
	 * @param queue the queue
	 * @param now the present
	 * @param limit how many at most
	 * @return how many are handed over
	 */
	int handOverPublished(String queue, Instant now, int limit);

}
