package io.ojs.store.attempt;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;

import io.ojs.store.StoreUnavailableException;

/**
 * Knows when each process that runs jobs was seen last. A run is its process's for as
 * long as the process was seen within the lease, whatever else happens to the job's row.
 * Times are those of the database: the clocks of processes may differ.
 */
public interface ProcessStore extends AutoCloseable {

	/**
	 * Records that a process lives, and looks which of its runs are still its own. Waits
	 * for no row that another transaction has locked, and needs no connection that the
	 * application could have taken. Runs of the process that are not held, since the
	 * answer to their claim was lost or their outcome could not be recorded, are lost
	 * when the time of their lease has passed twice. To be called by one thread at a
	 * time.
	 * @param process what the process calls itself, like no other; at most 128 characters
	 * @param held the runs that it has begun and not ended
	 * @return what the database knows
	 * @throws StoreUnavailableException if the database cannot be reached
	 */
	Beat beat(String process, Collection<Lease> held);

	/**
	 * Reads the time of the database.
	 * @return the present
	 * @throws StoreUnavailableException if the database cannot be reached
	 */
	Instant now();

	/** Gives back what beats need. They may begin again. */
	@Override
	void close();

	/**
	 * What the database knows at a beat.
	 *
	 * @param time the present
	 * @param lost the runs that are no longer the process's own, and whether that is
	 * because the job was cancelled; otherwise it has ended, or another process has it
	 */
	record Beat(Instant time, Map<Lease, Boolean> lost) {
	}

}
