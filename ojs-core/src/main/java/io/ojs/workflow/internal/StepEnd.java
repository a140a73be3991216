package io.ojs.workflow.internal;

import java.time.Instant;

import io.ojs.job.JobError;
import io.ojs.workflow.StepState;
import org.jspecify.annotations.Nullable;

/**
 * The end of a job of a workflow. Recorded in the transaction that ends the job.
 *
 * @param number the number of the job in its workflow; {@link #GO_ON} if no job has ended
 * @param jobId the id of the job
 * @param jobType its type
 * @param state completed, failed or cancelled
 * @param startedAt when its last attempt began, if there was one
 * @param endedAt when it ended
 * @param error its error, if it failed
 */
public record StepEnd(int number, String jobId, String jobType, StepState state, @Nullable Instant startedAt,
		Instant endedAt, @Nullable JobError error) {

	/**
	 * Replaces the number if no job has ended, but the workflow has more jobs to enqueue.
	 */
	public static final int GO_ON = -1;

}
