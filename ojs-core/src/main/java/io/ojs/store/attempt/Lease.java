package io.ojs.store.attempt;

/**
 * The right to run a job, which ends unless it is extended. It is told from every other
 * lease on the same job by its run, a number that is drawn at random at each claim: no
 * claim draws the number of another one, not even after a database has lost the last
 * commits.
 *
 * @param jobId the job
 * @param run the claim, from 1
 */
public record Lease(String jobId, long run) {
}
