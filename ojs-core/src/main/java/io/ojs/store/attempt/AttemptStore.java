package io.ojs.store.attempt;

import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

import io.ojs.store.StoreException;
import io.ojs.store.StoredJob;
import org.jspecify.annotations.Nullable;

/**
 * Decides who runs a job, and records what came of it. Whoever holds no valid lease
 * changes nothing.
 */
public interface AttemptStore {

	/**
	 * Takes jobs to run them: available ones, retryable ones that are due, and if asked
	 * to, active ones whose lease has run out. Their attempt is counted. Jobs that the
	 * store does not know are adopted, into the queue that they came from, unless it has
	 * published them itself, or adopted them before and deleted them lately, cancelled or
	 * discarded: those have ended, and are not run. A run that was begun by an unanswered
	 * claim of the same request goes to the worker that asks again. A job of a version
	 * that its worker cannot run stays available, for others.
	 * @param requests the jobs, in the order in which they are to be taken; none twice
	 * @param worker the process that runs them, as {@link ProcessStore#beat} knows it; at
	 * most 128 characters
	 * @param now the present
	 * @param takeOver whether active ones are taken whose lease has run out; otherwise
	 * they are in another's hands
	 * @return what became of each, in the same order; {@code null} if another transaction
	 * has locked its row, so that it is to be asked for again
	 * @throws StoreException if the store does not take one of them, or is away; some may
	 * have begun all the same, and are told of to whoever asks again
	 */
	List<@Nullable Claim> claim(List<ClaimRequest> requests, String worker, Instant now, boolean takeOver);

	/**
	 * Does something with this store, and only then has listeners told what the store has
	 * made of jobs meanwhile: they may take their time, and nothing waits for them.
	 * @param <T> what comes of it
	 * @param work calls this store
	 * @return what came of it
	 */
	default <T> T telling(Supplier<T> work) {
		return work.get();
	}

	/**
	 * Records how runs ended.
	 * @param outcomes how they ended
	 * @param now the present
	 * @return of each whether its lease was still valid, in the same order; if not,
	 * nothing was recorded. {@code null} if another transaction has locked its row, so
	 * that it is to be told again
	 * @throws StoreException if the store does not take one of them, or is away; some may
	 * have been recorded all the same, and whoever tells of them again is told so
	 */
	List<@Nullable Boolean> settle(List<? extends Outcome> outcomes, Instant now);

	/**
	 * Records how one run ended. Waits for its row, if another transaction has locked it.
	 * @param outcome how it ended
	 * @param now the present
	 * @return whether its lease was still valid; if not, nothing was recorded
	 * @throws StoreException if the store does not take it, or is away
	 */
	boolean settle(Outcome outcome, Instant now);

	/**
	 * Makes jobs available whose lease has run out, of processes that were not seen for
	 * as long, or dead letters of those that have no attempt left. The run that was lost
	 * is recorded as an error.
	 * @param now the present; the relay takes care of what is available again
	 * @param limit how many at most; 0 only asks whether the store is there
	 * @return the jobs, as they are now
	 */
	List<StoredJob> reap(Instant now, int limit);

}
