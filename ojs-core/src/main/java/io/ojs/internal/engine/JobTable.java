package io.ojs.internal.engine;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * The table of jobs that the engine works on. Locked rows stay locked until the
 * transaction ends. All methods lock rows in the same order.
 */
public interface JobTable {

	/**
	 * Returns the id of the store, which the messages of its jobs carry.
	 * @return the id, a UUID; read once
	 */
	String id();

	/**
	 * Runs work in the caller's transaction, or in a new one if there is none.
	 * @param what the action, for the message of an exception, such as "claim jobs"
	 * @throws io.ojs.store.StoreException if the database fails
	 */
	<T> T write(String what, Supplier<T> work);

	/** Runs work, and notifies listeners of its transitions afterwards. */
	<T> T telling(Supplier<T> work);

	/** Creates transitions for one moment. */
	Transitions transitions(Instant now);

	/** Returns the codec of the rows. */
	JobRowCodec codec();

	/**
	 * Locks rows. Waits for rows that another transaction has locked.
	 * @param all whether to read envelopes, headers and results too
	 */
	Map<UUID, JobRow> lock(Collection<UUID> ids, boolean all);

	/**
	 * Locks rows, except those that another transaction has locked.
	 * @param all whether to read envelopes, headers and results too
	 * @return the rows that exist and are free
	 */
	Map<UUID, JobRow> lockFree(Collection<UUID> ids, boolean all);

	/** Finds which jobs exist, whether their rows are locked or not. */
	Set<UUID> known(Collection<UUID> ids);

	/**
	 * Locks active jobs whose run is lost: its lease is over, its process was not seen
	 * for as long, and it has not timed out.
	 */
	Collection<JobRow> lockLost(Instant now, int limit);

	/**
	 * Recalculates leases that are over by the time at which their process was last seen.
	 */
	void extendLeases(Collection<JobRow> rows, Instant now);

	/**
	 * Inserts rows of other producers' jobs, without an event.
	 * @return the ids of the rows that were inserted; the others existed before
	 */
	Set<UUID> adopt(Collection<JobRow> rows);

	/**
	 * Finds which jobs were deleted lately, cancelled or discarded.
	 * @param stores the ids of jobs, each with the id of the store that its message names
	 */
	Set<UUID> deleted(Map<UUID, @Nullable String> stores);

	/**
	 * Whether jobs of a queue are handed over to the broker.
	 * @return whether they are
	 */
	boolean isHandedOver(String queue);

	/** Creates the gate that decides which jobs start at one moment. */
	StartGate gate(Instant now);

	/** Writes the changed rows, and records the events of their transitions. */
	void save(Transitions transitions);

}
