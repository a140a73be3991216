package io.ojs.deadletter;

import java.time.Instant;
import java.util.Optional;

import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.store.StoredJob;
import org.jspecify.annotations.Nullable;

/**
 * Lists, replays and deletes the dead letters in the job store (OJS Dead Letter). With a
 * store, they are all there; without one, they wait at the broker, where the module
 * {@code ojs-amqp} replays them by {@code DeadLetterReplayer}, with the same filters,
 * options and results. Safe for use by several threads, processes and instances.
 *
 * <p>
 * Every method with a filter throws {@link InvalidDeadLetterRequestException} if the
 * filter has an error code or a stack hash, or a type or an id that breaks a rule for
 * jobs: only the broker can find dead letters by these.
 *
 * <p>
 * Every method throws {@link io.ojs.store.StoreUnavailableException} if the database
 * cannot be reached.
 */
public interface DeadLetters {

	/** The largest page. */
	int MAX_LIMIT = 1000;

	/**
	 * Lists the newest dead letters.
	 * @param filter the filter
	 * @param limit the largest number, 1 to 1000
	 * @return the first page
	 * @throws InvalidDeadLetterRequestException if the limit is out of range
	 */
	DeadLetterPage list(DeadLetterFilter filter, int limit);

	/**
	 * Lists dead letters, the newest first.
	 * @param filter the filter
	 * @param after the position of the page; {@code null} for the first one
	 * @param limit the largest number, 1 to 1000
	 * @return the page
	 * @throws InvalidDeadLetterRequestException if the limit is out of range
	 */
	DeadLetterPage list(DeadLetterFilter filter, @Nullable DeadLetterCursor after, int limit);

	/**
	 * Returns the end of the current dead letters, so that an operation on many of them
	 * excludes jobs that fail again meanwhile. It follows from the newest dead letter and
	 * not from a clock, because a process whose clock is ahead may have recorded it.
	 * @param filter the filter
	 * @return the microsecond after the newest, as an exclusive end; empty if there are
	 * none
	 */
	Optional<Instant> end(DeadLetterFilter filter);

	/**
	 * Finds a dead letter.
	 * @param jobId the id of the job
	 * @return the job with its errors; empty if it does not exist, or is not a dead
	 * letter
	 * @throws InvalidJobException if the id breaks a rule
	 */
	Optional<StoredJob> get(String jobId);

	/**
	 * Counts all dead letters by queue, type and error type.
	 * @return the numbers
	 */
	DeadLetterStats stats();

	/**
	 * Counts dead letters by queue, type and error type.
	 * @param filter the filter
	 * @return the numbers
	 */
	DeadLetterStats stats(DeadLetterFilter filter);

	/**
	 * Replays a dead letter without changes.
	 * @param jobId the id of the job
	 * @return the job, available; empty if it does not exist, or is not a dead letter
	 * @throws InvalidJobException if the id breaks a rule
	 * @throws NotReplayableException if no worker would start the job
	 */
	Optional<Job> replay(String jobId);

	/**
	 * Replays a dead letter with changes.
	 * @param jobId the id of the job
	 * @param overrides the changes
	 * @return the job, available; empty if it does not exist, or is not a dead letter
	 * @throws InvalidJobException if the id breaks a rule, or the changed job does
	 * @throws NotReplayableException if no worker would start the job
	 */
	Optional<Job> replay(String jobId, ReplayOverrides overrides);

	/**
	 * Replays many dead letters, the oldest first.
	 * @param filter the filter
	 * @param options how many to replay, and how
	 * @return the result
	 * @throws InvalidDeadLetterRequestException if the replay is neither a dry run nor
	 * confirmed
	 * @throws InvalidJobException if the overrides break a rule
	 */
	ReplayResult replayAll(DeadLetterFilter filter, ReplayOptions options);

	/**
	 * Replays many dead letters, the oldest first, in transactions of 500, or in the
	 * caller's transaction. If the database goes away, committed batches stay replayed,
	 * and another call continues.
	 * @param filter the filter
	 * @param options how many to replay, and how
	 * @param listener called after each batch; it can cancel the replay, as can an
	 * interrupt of the calling thread
	 * @return the result
	 * @throws InvalidDeadLetterRequestException if the replay is neither a dry run nor
	 * confirmed
	 * @throws InvalidJobException if the overrides break a rule
	 */
	ReplayResult replayAll(DeadLetterFilter filter, ReplayOptions options, ReplayListener listener);

	/**
	 * Deletes a dead letter.
	 * @param jobId the id of the job
	 * @return whether it existed
	 * @throws InvalidJobException if the id breaks a rule
	 */
	boolean delete(String jobId);

	/**
	 * Deletes many dead letters, the oldest first, in transactions of 500, or in the
	 * caller's transaction. Keeps jobs that become dead letters meanwhile.
	 * @param filter the filter
	 * @param confirm {@code true} to confirm the deletion
	 * @return the number of deleted dead letters
	 * @throws InvalidDeadLetterRequestException if the deletion is not confirmed
	 */
	long purge(DeadLetterFilter filter, boolean confirm);

}
