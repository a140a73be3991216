package io.ojs.internal.inspect;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Reads one job, and everything about it that the job store knows.
 */
public interface InspectionStore {

	/** Up to how many jobs a line is counted. */
	int COUNTED = 100;

	/**
	 * Reads a job, its queue and its lease.
	 * @param tenant the tenant that asks, who sees its own jobs; {@code null} for all
	 * @return the job; empty if the store does not have it, or the tenant may not see it
	 */
	Optional<JobSituation> situation(String jobId, @Nullable String tenant);

	/**
	 * Reads what has happened to a job.
	 * @param tenant the tenant that asks, who sees its own jobs; {@code null} for all
	 * @return its history; empty if the store does not have it, or the tenant may not see
	 * it
	 */
	Optional<JobHistory> history(String jobId, @Nullable String tenant);

}
