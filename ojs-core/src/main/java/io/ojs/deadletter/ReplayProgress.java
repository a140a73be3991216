package io.ojs.deadletter;

import org.jspecify.annotations.Nullable;

/**
 * The progress of a replay.
 *
 * @param total the dead letters in the queue when the replay began; {@code null} for a
 * replay from the job store, which does not count them
 * @param passed the dead letters that the replay has settled
 * @param replayed the dead letters that it replayed, or would have replayed in a dry run
 * @param skipped the dead letters that it looked at and that stay
 */
public record ReplayProgress(@Nullable Long total, long passed, long replayed, long skipped) {
}
