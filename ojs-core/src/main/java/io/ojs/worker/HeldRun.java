package io.ojs.worker;

import io.ojs.job.JobState;
import io.ojs.store.Lease;
import io.ojs.store.StoredJob;
import org.jspecify.annotations.Nullable;

/**
 * A job, and its last run.
 *
 * @param job the job as it is
 * @param lease the right to run it; worth something only while the job is active
 * @param worker who runs it; {@code null} if nobody does
 */
public record HeldRun(StoredJob job, Lease lease, @Nullable String worker) {

	/**
	 * Whether somebody has the job.
	 * @return whether it is active
	 */
	public boolean isActive() {
		return this.job.job().state() == JobState.ACTIVE;
	}

}
