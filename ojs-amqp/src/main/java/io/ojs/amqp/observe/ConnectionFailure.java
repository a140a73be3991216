package io.ojs.amqp.observe;

import java.time.Instant;

/**
 * A connection was lost, or could not be made.
 *
 * @param at when
 * @param reason what was said, without credentials
 */
public record ConnectionFailure(Instant at, String reason) {
}
