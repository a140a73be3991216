package io.ojs.store;

import java.time.Duration;

/**
 * How long jobs are kept that have ended (queue configuration §6.3, OJS Dead Letter §5).
 *
 * @param completed completed ones
 * @param cancelled cancelled ones
 * @param discarded discarded ones that are no dead letters
 * @param deadLetter dead letters
 */
public record Retention(Duration completed, Duration cancelled, Duration discarded, Duration deadLetter) {
}
