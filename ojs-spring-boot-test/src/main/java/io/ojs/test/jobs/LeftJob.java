package io.ojs.test.jobs;

import io.ojs.job.Job;

/**
 * A job that has not ended and is not running.
 *
 * @param job the job in its present state; its arguments are decrypted
 * @param reason why it did not run, for a message
 */
public record LeftJob(Job job, String reason) {
}
