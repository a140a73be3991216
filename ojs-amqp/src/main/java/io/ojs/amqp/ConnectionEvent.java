package io.ojs.amqp;

import java.time.Duration;

/**
 * An event of a connection to the broker (AMQP binding §10.4, §11.3).
 * <p>
 * A minor version may add kinds of events: a {@code switch} over them needs a
 * {@code default}.
 */
public sealed interface ConnectionEvent {

	/**
	 * The name of the connection.
	 * @return {@code consuming} or {@code publishing}
	 */
	String connection();

	/**
	 * The connection was lost.
	 *
	 * @param connection the connection
	 * @param reason why, as far as is known
	 */
	record Lost(String connection, String reason) implements ConnectionEvent {
	}

	/**
	 * An attempt to open the connection begins.
	 *
	 * @param connection the connection
	 * @param attempt the number of the attempt to reconnect, from 1
	 */
	record Reconnecting(String connection, int attempt) implements ConnectionEvent {
	}

	/**
	 * The connection is open again, and everything is declared on it.
	 *
	 * @param connection the connection
	 * @param attempts the number of attempts to reconnect
	 * @param after how long the connection was down
	 */
	record Restored(String connection, int attempts, Duration after) implements ConnectionEvent {
	}

	/**
	 * The broker cancelled a consumer, since its queue was deleted or moved. The consumer
	 * will try to come back.
	 *
	 * @param connection the connection
	 * @param queue the OJS queue
	 */
	record ConsumerCancelled(String connection, String queue) implements ConnectionEvent {
	}

	/**
	 * The broker takes no messages because of a memory or disk alarm.
	 *
	 * @param connection the connection
	 * @param reason the broker's reason
	 */
	record Blocked(String connection, String reason) implements ConnectionEvent {
	}

	/**
	 * The broker takes messages again.
	 *
	 * @param connection the connection
	 */
	record Unblocked(String connection) implements ConnectionEvent {
	}

}
