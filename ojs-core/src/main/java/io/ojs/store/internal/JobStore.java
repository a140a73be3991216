package io.ojs.store.internal;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import io.ojs.job.IllegalStateTransitionException;
import io.ojs.job.JobQuery;
import io.ojs.store.DuplicateIdException;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.StoredJob;

/**
 * Keeps jobs (OJS Core §6). Every method is one transaction, or part of the caller's if
 * there is one. The store records each transition in the event feed, in the same
 * transaction.
 *
 * <p>
 * Every method of this and the other stores throws {@link StoreUnavailableException} if
 * the database cannot be reached, or failed for a reason that passes.
 */
public interface JobStore {

	/**
	 * Returns the id of this store, which was created with its tables and is read from
	 * the database once. Messages of its jobs carry it. A job whose message has this id,
	 * and whose row is gone, has ended. A job whose message has no id, or that of another
	 * store, is adopted.
	 */
	String id();

	/**
	 * Keeps jobs. A constraint of the database decides about unique jobs, so that of two
	 * that arrive at the same time one is the first.
	 * @param decision decides about the new jobs, once the store knows which are new;
	 * what it throws is passed on, and the caller rolls back
	 * @return the result for each job, in the same order; if one is
	 * {@link Insertion.Rejected}, the caller rolls back
	 * @throws DuplicateIdException if one of their ids is taken
	 */
	List<Insertion> insert(List<NewJob> jobs, Admission.Decision decision);

	/**
	 * Keeps jobs, without an admission decision.
	 * @return the result for each job, in the same order; if one is
	 * {@link Insertion.Rejected}, the caller rolls back
	 * @throws DuplicateIdException if one of their ids is taken
	 */
	default List<Insertion> insert(List<NewJob> jobs) {
		return insert(jobs, Admission.Decision.ALL);
	}

	/**
	 * Finds a job.
	 * @return the job; empty if the store does not have it, or no longer
	 */
	Optional<StoredJob> find(String jobId);

	/**
	 * Lists jobs. Meant for people, not for frequent calls: jobs that have ended are
	 * indexed by id alone, so a page of a queue or a type with few of them may read all
	 * of them. Jobs that have not ended are indexed by queue.
	 */
	List<StoredJob> list(JobQuery query);

	/**
	 * Cancels a job in any state that is not terminal (OJS Core §7.6). The store ignores
	 * the outcome of a run that is still active.
	 * @return the job before it was cancelled; empty if the store does not have it
	 * @throws IllegalStateTransitionException if the job has ended
	 */
	Optional<StoredJob> cancel(String jobId, Instant now);

	/**
	 * Makes a pending job available.
	 * @param relayAt when the relay publishes the job, unless another thread has
	 * published it by then
	 * @return the job, now available; empty if the store does not have it
	 * @throws IllegalStateTransitionException if the job is not pending
	 */
	Optional<StoredJob> activate(String jobId, Instant now, Instant relayAt);

}
