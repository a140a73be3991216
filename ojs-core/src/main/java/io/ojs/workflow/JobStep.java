package io.ojs.workflow;

import io.ojs.job.JobRequest;

/**
 * One job of a workflow.
 *
 * @param request the job, as it is to be enqueued when its time has come
 */
public record JobStep(JobRequest request) implements Step {
}
