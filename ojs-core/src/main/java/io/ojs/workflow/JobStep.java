package io.ojs.workflow;

import io.ojs.job.JobRequest;

/**
 * One job of a workflow.
 *
 * @param request the request for the job, which is enqueued when its turn comes
 */
public record JobStep(JobRequest request) implements Step {
}
