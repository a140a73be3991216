package io.ojs.internal.fetch;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

import io.ojs.job.internal.HandledJobs;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.attempt.AttemptStore;
import org.jspecify.annotations.Nullable;

/**
 * Fetches jobs of queues for workers, without a message of the broker.
 * {@link AttemptStore#settle} records the outcomes of their runs. Every method throws
 * {@link StoreUnavailableException} if the database cannot be reached.
 */
public interface FetchStore {

	/**
	 * Claims jobs: one queue after the other; within a queue the highest priority first,
	 * then by the time since which they are available. Scheduled and retryable jobs that
	 * are due become available first. Jobs that have expired or cannot be read become
	 * dead letters instead. Calls at the same time get different jobs; they wait for each
	 * other only where jobs have limits.
	 * @param queues the queues, in this order; no queue twice
	 * @param worker the name of the worker; at most 128 characters
	 * @param tenant only jobs of this tenant; {@code null} for all
	 * @param handled only jobs of these types and versions
	 * @param reservations returns how long the worker has a job; must not use the
	 * database
	 * @return the jobs; fewer than there are if many wait for limits
	 */
	List<FetchedJob> fetch(List<String> queues, int count, String worker, @Nullable String tenant, HandledJobs handled,
			Instant now, Function<StoredJob, Reservation> reservations);

	/**
	 * Claims jobs of one queue for a process of this library, which extends its leases
	 * itself. Jobs come in the same order, in one transaction; calls at the same time get
	 * different jobs.
	 * @return the jobs, active, and whether the process should fetch again
	 */
	FetchedRuns fetch(ProcessFetch request, Instant now);

	/**
	 * Gives back the jobs of a fetch whose answer was lost, as if they had never been
	 * fetched.
	 */
	int giveBack(ProcessFetch request, Instant fetchedAt, Instant now);

	/**
	 * Claims jobs of any type and version.
	 * @param queues the queues, in this order; no queue twice
	 * @param worker the name of the worker; at most 128 characters
	 * @param tenant only jobs of this tenant; {@code null} for all
	 * @param reservations returns how long the worker has a job; must not use the
	 * database
	 */
	default List<FetchedJob> fetch(List<String> queues, int count, String worker, @Nullable String tenant, Instant now,
			Function<StoredJob, Reservation> reservations) {
		return fetch(queues, count, worker, tenant, HandledJobs.ALL, now, reservations);
	}

	/**
	 * Finds a job and its worker.
	 * @return the job; empty if the store does not have it, or no longer
	 */
	Optional<LeasedRun> find(String jobId);

	/**
	 * Extends the leases of jobs that a worker has fetched. No lease is extended beyond
	 * the timeout of its run. A lease whose row another transaction has locked stays as
	 * it is until the next call.
	 * @param length how long leases last from now on; {@code null} for the original
	 * duration of each
	 * @return the ids of the jobs that this worker still has; it has lost the others
	 */
	Set<String> extend(String worker, Collection<String> jobIds, @Nullable Duration length, Instant now);

	/**
	 * Begins the run of a job that its worker received from the broker: a job that is
	 * handed over, or is about to be. Waits while another transaction has locked the row.
	 * @param worker the name of the worker; at most 128 characters
	 * @param attempt the attempt, from 1; {@code null} if the worker does not say
	 * @param leases returns how long the worker has the job; must not use the database
	 * @return the run; empty if the job is not handed over
	 */
	Optional<LeasedRun> begin(String jobId, String worker, @Nullable Integer attempt, Instant now,
			Function<StoredJob, Duration> leases);

	/**
	 * Begins the runs of jobs that are handed over, or are about to be. Skips jobs whose
	 * rows another transaction has locked, and all other jobs.
	 * @param worker the name of the worker; at most 128 characters
	 * @param tenant only jobs of this tenant; {@code null} for all
	 * @param leases returns how long the worker has a job; must not use the database
	 */
	List<LeasedRun> beginFree(Collection<String> jobIds, String worker, @Nullable String tenant, Instant now,
			Function<StoredJob, Duration> leases);

	/**
	 * Finds runs of fetched jobs whose timeout is over. Changes nothing.
	 * @return the runs, in the order of their timeouts
	 */
	List<LeasedRun> timedOut(Instant now, int limit);

}
