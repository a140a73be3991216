package io.ojs.workflow.internal;

import java.time.Instant;

import io.ojs.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * A job of a workflow, with its state in the store.
 *
 * @param number the number of the job in its workflow
 * @param jobId the id that it has, or will have
 * @param type its type
 * @param state its state; {@code null} if it is not enqueued, or was pruned
 * @param result the result of its handler
 * @param startedAt when its last attempt began
 * @param endedAt when it ended
 */
public record StepJob(int number, String jobId, String type, @Nullable JobState state, @Nullable Object result,
		@Nullable Instant startedAt, @Nullable Instant endedAt) {
}
