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
	 * @param <T> the type of the result
	 * @param what the action, for the message of an exception, such as "claim jobs"
	 * @param work the work
	 * @return the result of the work
	 * @throws io.ojs.store.StoreException if the database fails
	 */
	<T> T write(String what, Supplier<T> work);

	/**
	 * Runs work, and notifies listeners of its transitions afterwards.
	 * @param <T> the type of the result
	 * @param work the work
	 * @return the result of the work
	 */
	<T> T telling(Supplier<T> work);

	/**
	 * Creates transitions for one moment.
	 * @param now the moment
	 * @return the transitions, with none made yet
	 */
	Transitions transitions(Instant now);

	/**
	 * Returns the codec of the rows.
	 * @return the codec
	 */
	JobRowCodec codec();

	/**
	 * Locks rows. Waits for rows that another transaction has locked.
	 * @param ids the ids of the jobs
	 * @param all whether to read envelopes, headers and results too
	 * @return the rows that exist
	 */
	Map<UUID, JobRow> lock(Collection<UUID> ids, boolean all);

	/**
	 * Locks rows, except those that another transaction has locked.
	 * @param ids the ids of the jobs
	 * @param all whether to read envelopes, headers and results too
	 * @return the rows that exist and are free
	 */
	Map<UUID, JobRow> lockFree(Collection<UUID> ids, boolean all);

	/**
	 * Finds which jobs exist, whether their rows are locked or not.
	 * @param ids the ids of the jobs
	 * @return the ids of jobs that exist
	 */
	Set<UUID> known(Collection<UUID> ids);

	/**
	 * Locks active jobs whose run is lost: its lease is over, its process was not seen
	 * for as long, and it has not timed out.
	 * @param now the present
	 * @param limit the largest number of rows
	 * @return the rows
	 */
	Collection<JobRow> lockLost(Instant now, int limit);

	/**
	 * Recalculates leases that are over by the time at which their process was last seen.
	 * @param rows jobs in any state
	 * @param now the present
	 */
	void extendLeases(Collection<JobRow> rows, Instant now);

	/**
	 * Inserts rows of other producers' jobs, without an event.
	 * @param rows the rows
	 * @return the ids of the rows that were inserted; the others existed before
	 */
	Set<UUID> adopt(Collection<JobRow> rows);

	/**
	 * Finds which jobs were deleted lately, cancelled or discarded.
	 * @param stores the ids of jobs, each with the id of the store that its message names
	 * @return the ids of the deleted jobs
	 */
	Set<UUID> deleted(Map<UUID, @Nullable String> stores);

	/**
	 * Whether jobs of a queue are handed over to the broker.
	 * @param queue the OJS queue
	 * @return whether they are
	 */
	boolean isHandedOver(String queue);

	/**
	 * Creates the gate that decides which jobs start at one moment.
	 * @param now the moment
	 * @return the gate, for one transaction
	 */
	StartGate gate(Instant now);

	/**
	 * Writes the changed rows, and records the events of their transitions.
	 * @param transitions the transitions
	 */
	void save(Transitions transitions);

}
