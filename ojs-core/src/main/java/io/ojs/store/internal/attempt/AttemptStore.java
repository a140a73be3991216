package io.ojs.store.internal.attempt;

import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

import io.ojs.store.StoreException;
import io.ojs.store.StoredJob;
import org.jspecify.annotations.Nullable;

/**
 * Decides which worker runs a job, and records the outcomes of runs. A worker without a
 * valid lease changes nothing.
 */
public interface AttemptStore {

	/**
	 * Claims jobs: available and handed-over ones, scheduled and retryable ones that are
	 * due and, if asked to, active ones whose lease has run out. Counts their attempts.
	 *
	 * <p>
	 * A job that the store does not know is adopted, into the queue that its message came
	 * from. It is not adopted if this store has published it, or if the store adopted it
	 * before and deleted it lately as cancelled or discarded: such a job has ended. If an
	 * earlier claim of the same request began a run and its answer was lost, the worker
	 * gets that run. A job of a version that the worker cannot run stays available, for
	 * other workers.
	 * @param requests the jobs, in the order in which they are claimed; no job twice
	 * @param worker the process that runs them, as {@link ProcessStore#beat} knows it; at
	 * most 128 characters
	 * @param takeOver whether to claim active jobs whose lease has run out; otherwise
	 * they still belong to their worker
	 * @return the result for each job, in the same order; {@code null} if another
	 * transaction has locked its row, so that the caller has to ask again
	 * @throws StoreException if the store refuses one of them or is away; some runs may
	 * have begun, and a repeated request returns them
	 */
	List<@Nullable Claim> claim(List<ClaimRequest> requests, String worker, Instant now, boolean takeOver);

	/**
	 * Runs work on this store. Listeners are notified of the transitions that the store
	 * makes in it afterwards, so that slow listeners do not delay it.
	 */
	default <T> T telling(Supplier<T> work) {
		return work.get();
	}

	/**
	 * Records the outcomes of runs.
	 * @return for each, whether its lease was still valid, in the same order; if not,
	 * nothing was recorded. {@code null} if another transaction has locked the row, so
	 * that the caller has to try again
	 * @throws StoreException if the store refuses one of them or is away; some may have
	 * been recorded, and a repeated call returns {@code true} for them
	 */
	List<@Nullable Boolean> settle(List<? extends Outcome> outcomes, Instant now);

	/**
	 * Records the outcome of one run. Waits for the row if another transaction has locked
	 * it.
	 * @return whether its lease was still valid; if not, nothing was recorded
	 * @throws StoreException if the store refuses the outcome or is away
	 */
	boolean settle(Outcome outcome, Instant now);

	/**
	 * Makes jobs available whose run is lost: their lease has run out, and their process
	 * was not seen for as long as the lease lasts. A job without a further attempt
	 * becomes a dead letter. The lost run is recorded as an error. A job of a queue that
	 * is handed over goes back to the broker, and its run does not count.
	 * @param now the present; from now on the relay publishes the jobs that are available
	 * again
	 * @param limit the largest number of jobs; 0 only checks that the store answers
	 */
	List<StoredJob> reap(Instant now, int limit);

}
