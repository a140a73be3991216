package io.ojs.workflow;

import org.jspecify.annotations.Nullable;

/**
 * Why a job of a workflow has failed (OJS Workflows §9.6).
 *
 * @param jobId the job
 * @param jobType its type
 * @param callback as what it ran, if it was a callback
 * @param code the code of OJS Errors §4, such as {@code HANDLER_ERROR}
 * @param message what a person should read
 * @param attempt the attempt that was the last; 0 if it never ran
 */
public record WorkflowFailure(String jobId, String jobType, @Nullable Callback callback, String code, String message,
		int attempt) {
}
