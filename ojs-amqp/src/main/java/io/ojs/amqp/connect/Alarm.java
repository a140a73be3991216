package io.ojs.amqp.connect;

import java.util.concurrent.CompletableFuture;

import com.rabbitmq.client.BlockedListener;
import io.ojs.log.SafeLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Whether the broker takes no messages on a connection, because its memory or its disk
 * runs out.
 */
final class Alarm implements BlockedListener {

	private static final Logger logger = SafeLogger.of(Alarm.class);

	private final String connection;

	private final ConnectionEvents events;

	private final Runnable changed;

	private volatile @Nullable String reason;

	/** Done when listeners have heard of everything so far, one after the other. */
	private volatile CompletableFuture<@Nullable Void> told = CompletableFuture.completedFuture(null);

	Alarm(String connection, ConnectionEvents events, Runnable changed) {
		this.connection = connection;
		this.events = events;
		this.changed = changed;
	}

	boolean isOn() {
		return this.reason != null;
	}

	@Nullable String reason() {
		return this.reason;
	}

	/** The connection is gone, and the next one knows of no alarm. */
	void off() {
		this.reason = null;
	}

	@Override
	public void handleBlocked(String why) {
		this.reason = why;
		logger.warn("The broker takes no messages for now: {}", why);
		tell(new ConnectionEvent.Blocked(this.connection, why));
	}

	@Override
	public void handleUnblocked() {
		this.reason = null;
		logger.info("The broker takes messages again");
		this.changed.run();
		tell(new ConnectionEvent.Unblocked(this.connection));
	}

	/** Not on this thread: it reads the connection, and a listener may enqueue. */
	private void tell(ConnectionEvent event) {
		this.told = this.told.handleAsync((done, failure) -> {
			this.events.publish(event);
			return null;
		});
	}

}
