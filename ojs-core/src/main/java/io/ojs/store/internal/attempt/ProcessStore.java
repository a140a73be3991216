package io.ojs.store.internal.attempt;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;

import io.ojs.store.StoreUnavailableException;

/**
 * Knows when each process that runs jobs was last seen. A run belongs to its process for
 * as long as the process was seen within the lease, whatever else changes in the job's
 * row. All times are those of the database, since the clocks of processes may differ.
 */
public interface ProcessStore extends AutoCloseable {

	/**
	 * Records a heartbeat of a process, and checks which of its runs still belong to it.
	 * Does not wait for rows that other transactions have locked, and needs no connection
	 * that the application could use up. A run of the process that is not in
	 * {@code held}, because the answer to its claim was lost or its outcome could not be
	 * recorded, is lost after twice the duration of its lease. To be called by one thread
	 * at a time.
	 * @param process the unique name of the process; at most 128 characters
	 * @param held the runs that it has begun and not ended
	 * @throws StoreUnavailableException if the database cannot be reached
	 */
	Beat beat(String process, Collection<Lease> held);

	/**
	 * Reads the time of the database.
	 * @throws StoreUnavailableException if the database cannot be reached
	 */
	Instant now();

	/** Releases the connection of the heartbeats. A later heartbeat opens another one. */
	@Override
	void close();

	/**
	 * The answer to a heartbeat.
	 *
	 * @param lost the runs that no longer belong to the process; {@code true} if the job
	 * was cancelled, {@code false} if it has ended or another process has it
	 */
	record Beat(Instant time, Map<Lease, Boolean> lost) {
	}

}
