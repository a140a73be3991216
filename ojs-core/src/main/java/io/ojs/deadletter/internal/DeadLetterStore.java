package io.ojs.deadletter.internal;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import io.ojs.deadletter.DeadLetterCursor;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.DeadLetterStats;
import io.ojs.internal.admin.AdminStore;
import io.ojs.store.StoredJob;
import org.jspecify.annotations.Nullable;

/**
 * Keeps dead letters: discarded jobs that operators may look at (OJS Dead Letter §4).
 * Every method is one transaction, or part of the caller's if there is one.
 */
public interface DeadLetterStore {

	/**
	 * Records dead letters that were found on the broker.
	 * @param found the dead letters; a job may be among them twice
	 * @return the result for each, in the same order
	 */
	List<Recorded> record(List<FoundDeadLetter> found, Instant now);

	/**
	 * Lists dead letters.
	 * @param after only those behind this position; {@code null} for the beginning
	 * @param limit the largest number, 1 to 1000
	 */
	List<StoredJob> list(DeadLetterFilter filter, @Nullable DeadLetterCursor after, int limit);

	/**
	 * Lists dead letters by their number, which reads all before them.
	 * @param offset the number of dead letters to skip, not negative
	 * @param limit the largest number, 1 to 1000
	 */
	List<StoredJob> list(DeadLetterFilter filter, long offset, int limit);

	/**
	 * Finds a dead letter.
	 * @return the job; empty if it does not exist, or is not a dead letter
	 */
	Optional<StoredJob> get(String jobId);

	/** Counts dead letters. */
	DeadLetterCount count(DeadLetterFilter filter, Instant now);

	/** Counts dead letters up to a bound. */
	AdminStore.BoundedCount countUpTo(DeadLetterFilter filter, int bound);

	/**
	 * Counts dead letters by queue, for meters.
	 * @return the number of each queue that has any
	 */
	Map<String, Long> countByQueue();

	/** Counts dead letters by queue, type and error type. */
	DeadLetterStats stats(DeadLetterFilter filter);

	/**
	 * Counts dead letters by what they have in common.
	 * @param bound the largest number to count; the newest are counted
	 */
	DeadLetterFacets facets(DeadLetterFilter filter, Instant now, int bound);

	/**
	 * Replays dead letters, the oldest first. Calls at the same time get different ones:
	 * a dead letter that another transaction has locked is skipped, unless the filter
	 * names ids; then the call waits for it. Uniqueness is not checked again.
	 * @param after only those that became dead letters after this position; {@code null}
	 * for the beginning
	 * @param limit the largest number to look at, 1 to 1000
	 * @param decide decides about each dead letter; called in the transaction, while its
	 * row is locked
	 */
	ReplayBatch replay(DeadLetterFilter filter, @Nullable DeadLetterCursor after, int limit, Instant now,
			Function<KeptDeadLetter, ReplayDecision> decide);

	/**
	 * Deletes dead letters, the oldest first.
	 * @param limit the largest number, 1 to 1000
	 */
	int delete(DeadLetterFilter filter, Instant now, int limit);

}
