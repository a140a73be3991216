package io.ojs.test.internal.fault;

import java.time.Instant;

/**
 * A connection that a client opened to a {@link FaultProxy}.
 *
 * @param at when the proxy accepted it
 * @param refused whether the proxy reset it at once
 */
public record ConnectionAttempt(Instant at, boolean refused) {
}
