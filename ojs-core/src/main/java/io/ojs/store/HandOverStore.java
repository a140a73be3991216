package io.ojs.store;

import java.time.Instant;
import java.util.Collection;

/**
 * Ends jobs in the store that belong to the broker from now on.
 */
public interface HandOverStore {

	/**
	 * Hands jobs over that the broker has confirmed. Those that have been begun
	 * meanwhile, are to be published again, were moved to another queue, or whose row
	 * another transaction has locked, are left alone.
	 * @param queue the queue that they were published to
	 * @param jobIds the jobs
	 * @param now the present
	 */
	void handOver(String queue, Collection<String> jobIds, Instant now);

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
