package io.ojs.amqp.deadletter;

/**
 * How far a replay is.
 *
 * @param total dead letters in the queue when it began
 * @param passed dead letters that it is done with
 * @param replayed those of them that were replayed, or would be if this is a dry run
 * @param skipped those of them that were looked at and stay
 */
public record ReplayProgress(long total, long passed, long replayed, long skipped) {
}
