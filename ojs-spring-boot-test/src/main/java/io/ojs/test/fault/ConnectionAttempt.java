package io.ojs.test.fault;

import java.time.Instant;

/**
 * A connection that was opened to a {@link FaultProxy}.
 *
 * @param at when it came in
 * @param refused whether it was reset at once
 */
public record ConnectionAttempt(Instant at, boolean refused) {
}
