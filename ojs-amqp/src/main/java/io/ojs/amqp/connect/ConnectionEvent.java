package io.ojs.amqp.connect;

import java.time.Duration;

/**
 * Something happened to a connection to the broker (AMQP binding §10.4, §11.3).
 */
public sealed interface ConnectionEvent {

	/**
	 * Which connection.
	 * @return {@code consuming} or {@code publishing}
	 */
	String connection();

	/**
	 * The connection is gone.
	 *
	 * @param connection which connection
	 * @param reason why, as far as is known
	 */
	record Lost(String connection, String reason) implements ConnectionEvent {
	}

	/**
	 * An attempt to get it begins.
	 *
	 * @param connection which connection
	 * @param attempt which attempt since it was lost, from 1
	 */
	record Reconnecting(String connection, int attempt) implements ConnectionEvent {
	}

	/**
	 * The connection is there again, and everything is declared on it.
	 *
	 * @param connection which connection
	 * @param attempts attempts that it took
	 * @param after how long it was gone
	 */
	record Restored(String connection, int attempts, Duration after) implements ConnectionEvent {
	}

	/**
	 * The broker took a consumer's queue away, and the consumer with it; it comes back.
	 *
	 * @param connection which connection
	 * @param queue the OJS queue
	 */
	record ConsumerCancelled(String connection, String queue) implements ConnectionEvent {
	}

	/**
	 * The broker takes no messages for now: an alarm of its memory or disk.
	 *
	 * @param connection which connection
	 * @param reason why, as the broker says
	 */
	record Blocked(String connection, String reason) implements ConnectionEvent {
	}

	/**
	 * The broker takes messages again.
	 *
	 * @param connection which connection
	 */
	record Unblocked(String connection) implements ConnectionEvent {
	}

}
