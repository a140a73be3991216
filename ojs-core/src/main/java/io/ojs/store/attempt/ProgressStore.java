package io.ojs.store.attempt;

import java.util.Optional;

/**
 * Keeps how far jobs are.
 */
public interface ProgressStore {

	/**
	 * Keeps how far a job is, unless its run is over.
	 * @param lease the right by which it is run
	 * @param progress how far it is
	 * @return whether the run still goes on; if not, nothing is kept
	 */
	boolean report(Lease lease, Progress progress);

	/**
	 * Tells how far a job is, or was when it ended.
	 * @param jobId the id of the job
	 * @return what was last kept; empty if there is nothing
	 */
	Optional<Progress> find(String jobId);

}
