package io.ojs.internal.inspect;

import java.time.Instant;

import io.ojs.workflow.WorkflowState;
import org.jspecify.annotations.Nullable;

/**
 * A job that its workflow has not enqueued.
 *
 * @param jobId the id that it will have
 * @param workflowId the id of the workflow
 * @param name the name of the workflow
 * @param state the state of the workflow
 * @param step the number of the job in the workflow, from 1
 * @param jobs how many jobs the workflow has
 * @param ended how many of them have ended
 * @param since when the workflow was started
 * @param endedAt when the workflow ended; {@code null} if it goes on
 */
public record WaitingStep(String jobId, String workflowId, @Nullable String name, WorkflowState state, int step,
		int jobs, int ended, Instant since, @Nullable Instant endedAt) {
}
