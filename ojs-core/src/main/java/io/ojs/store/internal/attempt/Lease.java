package io.ojs.store.internal.attempt;

/**
 * The right to run a job, which ends unless it is extended. Its run tells it from every
 * other lease on the same job: each claim draws a random number, so no claim repeats the
 * number of another one, even after a database has lost its last commits.
 *
 * @param jobId the job
 * @param run the number of the run, from 1
 */
public record Lease(String jobId, long run) {
}
