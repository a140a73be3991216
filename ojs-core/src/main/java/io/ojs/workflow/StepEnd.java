package io.ojs.workflow;

import java.time.Instant;

import io.ojs.job.JobError;
import org.jspecify.annotations.Nullable;

/**
 * A job of a workflow has ended. Noted by whatever ended it, in the same transaction.
 *
 * @param number the number of the job in its workflow; {@link #GO_ON} if there is only
 * more to do
 * @param jobId the id of the job
 * @param jobType its type
 * @param state completed, failed or cancelled
 * @param startedAt when its last attempt began, if there was one
 * @param endedAt when it ended
 * @param error why it failed, if it did
 */
public record StepEnd(int number, String jobId, String jobType, StepState state, @Nullable Instant startedAt,
		Instant endedAt, @Nullable JobError error) {

	/** In place of a number: no job has ended, but the workflow has not gone on yet. */
	public static final int GO_ON = -1;

}
