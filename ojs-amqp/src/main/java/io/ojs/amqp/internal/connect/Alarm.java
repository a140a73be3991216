package io.ojs.amqp.internal.connect;

import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;

import com.rabbitmq.client.BlockedListener;
import io.ojs.amqp.ConnectionEvent;
import io.ojs.internal.log.SafeLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The broker's memory or disk alarm on one connection. While it is on, the broker takes
 * no messages.
 */
final class Alarm implements BlockedListener {

	private static final Logger logger = SafeLogger.of(Alarm.class);

	private final String connection;

	private final ConnectionEvents events;

	private final Runnable changed;

	private final Clock clock;

	private volatile @Nullable String reason;

	private volatile @Nullable Instant since;

	/** Completes when listeners have received all events so far, one after the other. */
	private volatile CompletableFuture<@Nullable Void> told = CompletableFuture.completedFuture(null);

	Alarm(String connection, ConnectionEvents events, Runnable changed, Clock clock) {
		this.connection = connection;
		this.events = events;
		this.changed = changed;
		this.clock = clock;
	}

	boolean isOn() {
		return this.reason != null;
	}

	@Nullable String reason() {
		return this.reason;
	}

	/** Since when it is on; {@code null} if it is off. */
	@Nullable Instant since() {
		return this.since;
	}

	/**
	 * Clears the alarm: the connection is lost, and the next one begins without an alarm.
	 */
	void off() {
		this.reason = null;
		this.since = null;
	}

	@Override
	public void handleBlocked(String why) {
		if (this.since == null) {
			this.since = this.clock.instant();
		}
		this.reason = why;
		logger.warn("The broker takes no messages for now: {}", why);
		tell(new ConnectionEvent.Blocked(this.connection, why));
	}

	@Override
	public void handleUnblocked() {
		off();
		logger.info("The broker takes messages again");
		this.changed.run();
		tell(new ConnectionEvent.Unblocked(this.connection));
	}

	/**
	 * Calls listeners on another thread: this one reads the connection, and a listener
	 * may enqueue.
	 */
	private void tell(ConnectionEvent event) {
		this.told = this.told.handleAsync((done, failure) -> {
			this.events.publish(event);
			return null;
		});
	}

}
