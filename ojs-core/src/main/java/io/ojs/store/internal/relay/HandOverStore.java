package io.ojs.store.internal.relay;

import java.time.Instant;
import java.util.Map;

/**
 * Ends jobs in the store that the broker keeps from now on.
 */
public interface HandOverStore {

	/**
	 * Hands over jobs that the broker has confirmed. Leaves alone the jobs that
	 * {@link RelayStore#published} would leave alone.
	 * @param jobs the ids of the jobs, each with its {@link RelayedJob#until()}
	 */
	void handOver(Map<String, Instant> jobs, Instant now);

	/**
	 * Hands over jobs that were published before their queue was handed over.
	 * @return the number of jobs that are handed over
	 */
	int handOverPublished(String queue, Instant now, int limit);

}
