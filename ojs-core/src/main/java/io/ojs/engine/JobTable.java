package io.ojs.engine;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Where rows of jobs are kept: what the engine needs of a store. Rows that were locked
 * stay so until the transaction ends; whichever table it is, they are locked in one
 * order.
 */
public interface JobTable {

	/**
	 * The id of the store, which messages of its jobs carry.
	 * @return the id, a UUID; read once
	 */
	String id();

	/**
	 * Does something in the caller's transaction, or else in one of its own.
	 * @param <T> what comes of it
	 * @param what what is done, for the message of an exception: "claim jobs"
	 * @param work does it
	 * @return what comes of it
	 * @throws io.ojs.store.StoreException if it fails
	 */
	<T> T write(String what, Supplier<T> work);

	/**
	 * Does something, and only then has listeners told of what became of jobs meanwhile.
	 * @param <T> what comes of it
	 * @param work does it
	 * @return what comes of it
	 */
	<T> T telling(Supplier<T> work);

	/**
	 * What becomes of jobs at one moment.
	 * @param now the moment
	 * @return transitions, of which there are none yet
	 */
	Transitions transitions(Instant now);

	/**
	 * Makes rows of jobs, and jobs of rows.
	 * @return the codec
	 */
	JobRowCodec codec();

	/**
	 * Locks jobs. Waits for those that another transaction has locked.
	 * @param ids which
	 * @param all whether to read envelopes, headers and results too
	 * @return those that there are
	 */
	Map<UUID, JobRow> lock(Collection<UUID> ids, boolean all);

	/**
	 * Locks jobs, and waits for none that another transaction has locked.
	 * @param ids which
	 * @param all whether to read envelopes, headers and results too
	 * @return those that there are and that are free
	 */
	Map<UUID, JobRow> lockFree(Collection<UUID> ids, boolean all);

	/**
	 * Which of some jobs there are, locked or not.
	 * @param ids which
	 * @return the ids of those that there are
	 */
	Set<UUID> known(Collection<UUID> ids);

	/**
	 * Locks runs whose lease is over and whose process was not seen for as long, and that
	 * have not exceeded their timeout.
	 * @param now the present
	 * @param limit how many at most
	 * @return the rows, those first whose lease ended first
	 */
	Collection<JobRow> lockLost(Instant now, int limit);

	/**
	 * Gives runs whose lease is over the end that it has since their process was seen.
	 * @param rows jobs in any state
	 * @param now the present
	 */
	void extendLeases(Collection<JobRow> rows, Instant now);

	/**
	 * Inserts rows of other producers' jobs, of which nothing is told.
	 * @param rows the rows
	 * @return the ids of those that were inserted; the others are there already
	 */
	Set<UUID> adopt(Collection<JobRow> rows);

	/**
	 * Which of some jobs were deleted lately, cancelled or discarded.
	 * @param stores the ids of the stores that their messages name, by their own
	 * @return the ids of the jobs
	 */
	Set<UUID> deleted(Map<UUID, @Nullable String> stores);

	/**
	 * Whether jobs of a queue belong to the broker once it has them.
	 * @param queue the OJS queue
	 * @return whether they are handed over
	 */
	boolean isHandedOver(String queue);

	/**
	 * What decides which jobs start at one moment.
	 * @param now the moment
	 * @return the gate, for one transaction
	 */
	StartGate gate(Instant now);

	/**
	 * Writes what has become of jobs, and tells of it.
	 * @param transitions what
	 */
	void save(Transitions transitions);

}
