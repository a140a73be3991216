package io.ojs.store.internal;

import java.time.Duration;

/**
 * How long jobs are kept after they have ended (queue configuration §6.3, OJS Dead Letter
 * §5).
 *
 * @param completed for completed jobs
 * @param cancelled for cancelled jobs
 * @param discarded for discarded jobs that are not dead letters
 * @param deadLetter for dead letters
 */
public record Retention(Duration completed, Duration cancelled, Duration discarded, Duration deadLetter) {
}
