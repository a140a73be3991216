package io.ojs.internal.bulk;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.ojs.job.JobState;
import io.ojs.store.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps operations on many jobs, and records in the event feed which of them begin and
 * end, in the same transaction. Each method throws a {@link StoreException} if the
 * database fails.
 */
public interface BulkOperationStore {

	/** Keeps a new operation. */
	void insert(BulkOperation operation);

	/** Finds an operation. */
	Optional<BulkOperation> find(String id);

	/**
	 * Lists operations, the newest first.
	 * @param tenant only those of this tenant; {@code null} for all
	 * @param states only those in these states; empty for all
	 * @param before only those that are older than this one; {@code null} for the
	 * beginning
	 * @param limit the largest number, at least 1
	 */
	List<BulkOperation> list(@Nullable String tenant, Set<BulkState> states, @Nullable String before, int limit);

	/**
	 * Counts what became of the jobs that an operation has replayed, as far as no later
	 * replay has them.
	 * @param bound the largest number to count
	 */
	Outcome outcome(String id, int bound);

	/**
	 * Takes the operation that is due the longest: one that no process has, or else one
	 * that this process has already, whose last batch was the earliest.
	 * @param until when other processes may take it
	 * @return the operation; empty if there is none
	 */
	Optional<BulkOperation> take(String process, Instant now, Instant until);

	/**
	 * Finds when the next operation that no process has is due; empty if there is none.
	 */
	Optional<Instant> nextDue();

	/**
	 * Locks an operation until the end of the transaction.
	 * @return the operation; empty if it does not exist
	 */
	Optional<BulkOperation> lock(String id);

	/** Writes what has changed of an operation. */
	void save(BulkOperation operation);

	/** Lets other processes take the operations of a process that stops. */
	void release(String process, Instant now);

	/**
	 * What became of replayed jobs.
	 *
	 * @param jobs how many are in each state; without zeros
	 * @param complete whether these are all
	 */
	record Outcome(Map<JobState, Long> jobs, boolean complete) {

		public Outcome {
			jobs = Map.copyOf(jobs);
		}

	}

}
