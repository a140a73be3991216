package io.ojs.amqp.connect;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * How a connection is, for people.
 *
 * @param name which connection
 * @param up whether it is open
 * @param since since when it is like this; {@code null} if nobody ever asked for it
 * @param reconnections attempts to get it back, since the application started
 * @param blocked why the broker takes no messages on it; {@code null} if it does
 * @param lastFailure why it was lost or could not be opened last; {@code null} if it
 * never was
 */
public record ConnectionState(String name, boolean up, @Nullable Instant since, long reconnections,
		@Nullable String blocked, @Nullable String lastFailure) {
}
