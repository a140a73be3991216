package io.ojs.fetch;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

import io.ojs.job.HandledJobs;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.StoredJob;
import io.ojs.store.attempt.AttemptStore;
import org.jspecify.annotations.Nullable;

/**
 * Hands jobs out by their queues, to workers that no broker delivers to. How their runs
 * end is recorded by {@link AttemptStore#settle}. Every method throws
 * {@link StoreUnavailableException} if the database cannot be reached.
 */
public interface FetchStore {

	/**
	 * Takes jobs to run them: one queue after the other, within a queue by priority, the
	 * highest first, then by the time since which they are available. Scheduled and
	 * retryable jobs that are due become available before. Jobs that have expired, or
	 * cannot be read, become dead letters instead. Others who ask at the same time get
	 * other jobs, and wait for nobody.
	 * @param queues the queues, in this order; none twice
	 * @param count how many jobs at most
	 * @param worker who runs them; at most 128 characters
	 * @param tenant only jobs of this tenant; {@code null} for all
	 * @param handled only jobs of these types and versions
	 * @param now the present
	 * @param reservations says how long the worker has a job; it must not ask the
	 * database
	 * @return the jobs, fewer than there are where many wait for limits
	 */
	List<FetchedJob> fetch(List<String> queues, int count, String worker, @Nullable String tenant, HandledJobs handled,
			Instant now, Function<StoredJob, Reservation> reservations);

	/**
	 * Takes jobs of one queue for a process of this library, which extends its leases
	 * itself. Jobs come in the same order, and in one transaction; who asks at the same
	 * time gets others.
	 * @param request what the process wants
	 * @param now the present
	 * @return the jobs, active, and whether it has left others
	 */
	FetchedRuns fetch(ProcessFetch request, Instant now);

	/**
	 * Gives back what a fetch of a process has taken whose answer was lost, as if it had
	 * never been fetched.
	 * @param request what the process had asked for
	 * @param fetchedAt when it did
	 * @param now the present
	 * @return how many jobs
	 */
	int giveBack(ProcessFetch request, Instant fetchedAt, Instant now);

	/**
	 * Takes jobs of whatever type and version.
	 * @param queues the queues, in this order; none twice
	 * @param count how many jobs at most
	 * @param worker who runs them; at most 128 characters
	 * @param tenant only jobs of this tenant; {@code null} for all
	 * @param now the present
	 * @param reservations says how long the worker has a job; it must not ask the
	 * database
	 * @return the jobs
	 */
	default List<FetchedJob> fetch(List<String> queues, int count, String worker, @Nullable String tenant, Instant now,
			Function<StoredJob, Reservation> reservations) {
		return fetch(queues, count, worker, tenant, HandledJobs.ALL, now, reservations);
	}

	/**
	 * Looks a job up, and who runs it.
	 * @param jobId the id of the job
	 * @return the job; empty if there is none, or no longer
	 */
	Optional<LeasedRun> find(String jobId);

	/**
	 * Extends leases on jobs that a worker has fetched and still has. None goes beyond
	 * the timeout of its run.
	 * @param worker the worker
	 * @param jobIds the jobs
	 * @param length how long leases last from now on; {@code null} for as long as each
	 * was at first
	 * @param now the present
	 * @return the ids of those that were extended; the others are not this worker's
	 */
	Set<String> extend(String worker, Collection<String> jobIds, @Nullable Duration length, Instant now);

	/**
	 * Begins the run of a job that its worker got from the broker: one that was handed
	 * over, or is about to be. Waits while another transaction has locked its row.
	 * @param jobId the id of the job
	 * @param worker who runs it; at most 128 characters
	 * @param attempt which attempt it is, from 1, if the worker says so
	 * @param now the present
	 * @param leases says how long the worker has the job; it must not ask the database
	 * @return the run; empty if the job is not handed over
	 */
	Optional<LeasedRun> begin(String jobId, String worker, @Nullable Integer attempt, Instant now,
			Function<StoredJob, Duration> leases);

	/**
	 * Begins the runs of those of some jobs that were handed over, or are about to be.
	 * Leaves out those whose rows another transaction has locked.
	 * @param jobIds the ids of the jobs
	 * @param worker who runs them; at most 128 characters
	 * @param now the present
	 * @param leases says how long the worker has a job; it must not ask the database
	 * @return the runs
	 */
	List<LeasedRun> beginFree(Collection<String> jobIds, String worker, Instant now,
			Function<StoredJob, Duration> leases);

	/**
	 * Looks for runs of fetched jobs whose timeout is over. Changes nothing.
	 * @param now the present
	 * @param limit how many at most
	 * @return the runs, those first that were to end first
	 */
	List<LeasedRun> timedOut(Instant now, int limit);

}
