package io.ojs.store;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import io.ojs.job.IllegalStateTransitionException;

/**
 * Keeps jobs (OJS Core §6). Every method is one transaction, or part of the caller's if
 * there is one. Each transition is recorded in the feed of events in the same
 * transaction.
 *
 * <p>
 * Every method of this and the other stores throws {@link StoreUnavailableException} if
 * the database cannot be reached, or gave up for a reason that passes.
 */
public interface JobStore {

	/**
	 * The id of this store, made with its tables. Messages of its jobs carry it: a job
	 * whose message has it, and whose row is gone, has ended. A job whose message has
	 * none, or another store's, is adopted. Read from the database once.
	 * @return the id, a UUID
	 */
	String id();

	/**
	 * Keeps jobs. A unique job is decided upon by a constraint of the database, so that
	 * of two that come at the same time one is the first.
	 * @param jobs the jobs
	 * @param decision is asked about those that are new, once it is known which are; what
	 * it throws is thrown, and the caller rolls back
	 * @return what became of each, in the same order; if one is
	 * {@link Insertion.Rejected}, the caller rolls back
	 * @throws DuplicateIdException if one of their ids is taken
	 */
	List<Insertion> insert(List<NewJob> jobs, Admission.Decision decision);

	/**
	 * Keeps jobs, whatever there is already.
	 * @param jobs the jobs
	 * @return what became of each, in the same order; if one is
	 * {@link Insertion.Rejected}, the caller rolls back
	 * @throws DuplicateIdException if one of their ids is taken
	 */
	default List<Insertion> insert(List<NewJob> jobs) {
		return insert(jobs, Admission.Decision.ALL);
	}

	/**
	 * Looks a job up.
	 * @param jobId the id of the job
	 * @return the job; empty if there is none, or no longer
	 */
	Optional<StoredJob> find(String jobId);

	/**
	 * Looks jobs up. Made for people, not for work: what has ended is kept by id alone,
	 * so a page of a queue or a type that few of these jobs belong to may have all of
	 * them read. What has not ended is found by its queue.
	 * @param query which jobs
	 * @return the jobs, the newest first
	 */
	List<StoredJob> list(JobQuery query);

	/**
	 * Cancels a job (OJS Core §7.6), whatever it waits for. One that is active is
	 * cancelled as well: what its handler comes back with is no longer taken.
	 * @param jobId the id of the job
	 * @param now when
	 * @return the job before it was cancelled; empty if there is none
	 * @throws IllegalStateTransitionException if it has ended
	 */
	Optional<StoredJob> cancel(String jobId, Instant now);

	/**
	 * Makes a pending job available.
	 * @param jobId the id of the job
	 * @param now when
	 * @param relayAt when the relay takes care of it, unless somebody else has published
	 * it by then
	 * @return the job, available; empty if there is none
	 * @throws IllegalStateTransitionException if it is not pending
	 */
	Optional<StoredJob> activate(String jobId, Instant now, Instant relayAt);

}
