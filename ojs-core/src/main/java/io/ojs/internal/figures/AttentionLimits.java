package io.ojs.internal.figures;

import java.time.Duration;

/**
 * When operators are told of something.
 *
 * @param oldestAvailable how long a job may wait for a worker, or for a limit
 * @param noWorker how long a job may wait in a queue that no process takes
 * @param outboxLag how long a job may be due without being published
 * @param deadLetters how many new dead letters a queue may have
 * @param deadLettersWithin how long a dead letter is new
 */
public record AttentionLimits(Duration oldestAvailable, Duration noWorker, Duration outboxLag, long deadLetters,
		Duration deadLettersWithin) {
}
