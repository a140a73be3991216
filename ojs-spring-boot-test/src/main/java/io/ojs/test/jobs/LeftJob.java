package io.ojs.test.jobs;

import io.ojs.job.Job;

/**
 * A job that has not ended, and does not run.
 *
 * @param job the job as it is now; its arguments are decrypted
 * @param reason why it was left, for a message
 */
public record LeftJob(Job job, String reason) {
}
