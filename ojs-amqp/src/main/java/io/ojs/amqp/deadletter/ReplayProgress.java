package io.ojs.amqp.deadletter;

/**
 * The progress of a replay.
 *
 * @param total dead letters in the queue when the replay began
 * @param passed dead letters that the replay has settled
 * @param replayed dead letters that it replayed, or would have replayed in a dry run
 * @param skipped dead letters that it examined and that stay
 */
public record ReplayProgress(long total, long passed, long replayed, long skipped) {
}
