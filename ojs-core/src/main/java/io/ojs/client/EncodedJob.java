package io.ojs.client;

import io.ojs.job.Job;

/**
 * A job that is ready to be sent.
 *
 * @param job the job
 * @param body its bytes
 * @param maxAttempts how often it may be executed in all, at least 1
 */
public record EncodedJob(Job job, byte[] body, int maxAttempts) {
}
