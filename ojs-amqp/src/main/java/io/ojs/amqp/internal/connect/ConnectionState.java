package io.ojs.amqp.internal.connect;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The state of a connection, for people.
 *
 * @param name the name of the connection
 * @param up whether it is open
 * @param since since when it is open or closed; {@code null} before the first attempt
 * @param reconnections attempts since the application started, without the very first
 * @param blocked why the broker takes no messages on it; {@code null} if it does
 * @param blockedSince since when it takes none; {@code null} if it does
 * @param lastFailure why it was lost or could not be opened the last time; {@code null}
 * if that never happened
 */
public record ConnectionState(String name, boolean up, @Nullable Instant since, long reconnections,
		@Nullable String blocked, @Nullable Instant blockedSince, @Nullable String lastFailure) {
}
