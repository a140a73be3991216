package io.ojs.store;

/**
 * The right to run a job, which ends unless it is extended. It is told from every other
 * lease on the same job by its run, which is counted up at each claim and never reset.
 *
 * @param jobId the job
 * @param run the how-manieth claim of the job this is, from 1
 */
public record Lease(String jobId, long run) {
}
