package io.ojs.amqp.message;

import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * A job as a message brought it.
 *
 * @param job the job
 * @param body its envelope: the bytes that came, or with what only a header said
 * @param attempt which attempt this delivery is, from 1
 * @param maxAttempts executions in all, if the message says so
 * @param store the id of the job store that published it; {@code null} if none did
 */
public record ReceivedJob(Job job, byte[] body, int attempt, @Nullable Integer maxAttempts, @Nullable String store) {
}
