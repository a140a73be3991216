package io.ojs.amqp.internal.message;

import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * A job that a message brought.
 *
 * @param job the job
 * @param body its envelope: the bytes of the message, or new ones if a header added a
 * field
 * @param attempt the number of the attempt that this delivery is for, from 1
 * @param maxAttempts maximum number of attempts; {@code null} if the message has none
 * @param store the id of the job store that published it; {@code null} if none did
 */
public record ReceivedJob(Job job, byte[] body, int attempt, @Nullable Integer maxAttempts, @Nullable String store) {
}
