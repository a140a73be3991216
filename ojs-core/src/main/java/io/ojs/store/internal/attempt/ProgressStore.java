package io.ojs.store.internal.attempt;

import java.util.Optional;

/**
 * Keeps the progress of jobs.
 */
public interface ProgressStore {

	/**
	 * Keeps the progress of a job, unless its run is over.
	 * @return whether the run is still active; if not, nothing is kept
	 */
	boolean report(Lease lease, Progress progress);

	/**
	 * Returns the progress of a job, whether it runs or has ended.
	 * @return the last value that was kept; empty if there is none
	 */
	Optional<Progress> find(String jobId);

}
