package io.ojs.workflow;

import org.jspecify.annotations.Nullable;

/**
 * Why a job of a workflow has failed (OJS Workflows §9.6).
 *
 * @param jobId the id of the job
 * @param jobType its type
 * @param callback the kind of callback, if it was one
 * @param code the code of OJS Errors §4, such as {@code HANDLER_ERROR}
 * @param message the message for people
 * @param attempt the last attempt; 0 if the job never ran
 */
public record WorkflowFailure(String jobId, String jobType, @Nullable Callback callback, String code, String message,
		int attempt) {
}
