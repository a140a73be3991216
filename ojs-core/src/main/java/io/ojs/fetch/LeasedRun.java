package io.ojs.fetch;

import io.ojs.job.JobState;
import io.ojs.store.StoredJob;
import io.ojs.store.attempt.Lease;
import org.jspecify.annotations.Nullable;

/**
 * A job, and its last run.
 *
 * @param job the job as it is
 * @param lease the right to run it; worth something only while the job is active
 * @param worker who runs it; {@code null} if nobody does
 * @param remote whether a worker runs it that fetched it, or got it from a queue that is
 * handed over; not so one of an application that has claimed it
 */
public record LeasedRun(StoredJob job, Lease lease, @Nullable String worker, boolean remote) {

	/**
	 * Whether somebody has the job.
	 * @return whether it is active
	 */
	public boolean isActive() {
		return this.job.job().state() == JobState.ACTIVE;
	}

}
