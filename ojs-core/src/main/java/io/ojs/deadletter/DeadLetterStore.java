package io.ojs.deadletter;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import io.ojs.store.StoredJob;
import org.jspecify.annotations.Nullable;

/**
 * Keeps dead letters: jobs that are discarded and to be looked at (OJS Dead Letter §4).
 * Every method is one transaction, or part of the caller's if there is one.
 */
public interface DeadLetterStore {

	/**
	 * Records dead letters that were found outside the store.
	 * @param found what was found; a job may be among them twice
	 * @param now the present
	 * @return what became of each, in the same order
	 */
	List<Recorded> record(List<FoundDeadLetter> found, Instant now);

	/**
	 * Looks dead letters up.
	 * @param filter which ones
	 * @param after only those behind this place; {@code null} for the beginning
	 * @param limit how many at most, 1 to 1000
	 * @return the dead letters, the newest first
	 */
	List<StoredJob> list(DeadLetterFilter filter, @Nullable DeadLetterCursor after, int limit);

	/**
	 * Looks a dead letter up.
	 * @param jobId the id of the job
	 * @return the job; empty if there is none, or it is no dead letter
	 */
	Optional<StoredJob> get(String jobId);

	/**
	 * Counts dead letters.
	 * @param filter which ones
	 * @param now the present
	 * @return how many
	 */
	DeadLetterCount count(DeadLetterFilter filter, Instant now);

	/**
	 * Counts dead letters by queue, for meters.
	 * @return how many of each queue that has any
	 */
	Map<String, Long> countByQueue();

	/**
	 * Counts dead letters by what they have in common.
	 * @param filter which ones
	 * @return the numbers
	 */
	DeadLetterStats stats(DeadLetterFilter filter);

	/**
	 * Puts dead letters back to work, the oldest first. Two that do this at the same time
	 * get different ones: those that another one holds are passed over, unless they are
	 * named by their ids, then they are waited for. Their uniqueness is not checked
	 * again.
	 * @param filter which ones
	 * @param after only those that came after this place; {@code null} for the beginning
	 * @param limit how many to look at, at most, 1 to 1000
	 * @param now the present
	 * @param decide what is to become of each; called in the transaction, while nobody
	 * else can touch it
	 * @return what became of them
	 */
	ReplayBatch replay(DeadLetterFilter filter, @Nullable DeadLetterCursor after, int limit, Instant now,
			Function<KeptDeadLetter, ReplayDecision> decide);

	/**
	 * Deletes dead letters, the oldest first.
	 * @param filter which ones
	 * @param now the present
	 * @param limit how many at most, 1 to 1000
	 * @return how many
	 */
	int delete(DeadLetterFilter filter, Instant now, int limit);

}
