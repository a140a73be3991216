package io.ojs.internal.fetch;

import io.ojs.job.JobState;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.attempt.Lease;
import org.jspecify.annotations.Nullable;

/**
 * A job and its last run.
 *
 * @param job the job
 * @param lease the lease of the run; valid only while the job is active
 * @param worker the worker; {@code null} without one
 * @param remote whether the worker fetched the job over HTTP, or received it from a queue
 * that is handed over; {@code false} if a process of this library has claimed or fetched
 * it
 */
public record LeasedRun(StoredJob job, Lease lease, @Nullable String worker, boolean remote) {

	/**
	 * Whether the run goes on.
	 * @return whether the job is active
	 */
	public boolean isActive() {
		return this.job.job().state() == JobState.ACTIVE;
	}

}
