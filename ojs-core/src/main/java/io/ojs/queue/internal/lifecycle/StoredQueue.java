package io.ojs.queue.internal.lifecycle;

import java.time.Instant;

import io.ojs.queue.JobQueue;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueState;
import org.jspecify.annotations.Nullable;

/**
 * A queue as a {@link QueueStore} keeps it.
 *
 * @param name its name, or {@link JobQueue#DEFAULT_POLICY}
 * @param state its state
 * @param stateSince when its state was last changed
 * @param stateBy who changed it; {@code null} if the caller was not known
 * @param config its own configuration
 * @param createdAt when it was created
 * @param updatedAt when it was last changed
 * @param version the number of the change, which grows over the changes of all queues
 */
public record StoredQueue(String name, QueueState state, Instant stateSince, @Nullable String stateBy,
		QueueConfig config, Instant createdAt, Instant updatedAt, long version) {

	/**
	 * Creates an active queue without its own configuration.
	 * @return the queue; its store sets the version
	 */
	public static StoredQueue created(String name, Instant now) {
		return new StoredQueue(name, QueueState.ACTIVE, now, null, QueueConfig.NONE, now, now, 0);
	}

	/**
	 * Returns a copy with a state, which may be the same.
	 * @return the copy; its store sets the version, and who has changed the state
	 */
	public StoredQueue state(QueueState value, Instant now) {
		boolean isSame = value == this.state;
		return new StoredQueue(this.name, value, isSame ? this.stateSince : now, isSame ? this.stateBy : null,
				this.config, this.createdAt, now, 0);
	}

	/**
	 * Returns a copy with another configuration.
	 * @return the copy; its store sets the version
	 */
	public StoredQueue config(QueueConfig value, Instant now) {
		return new StoredQueue(this.name, this.state, this.stateSince, this.stateBy, value, this.createdAt, now, 0);
	}

	/** Returns a copy with the number of its change. */
	public StoredQueue version(long value) {
		return new StoredQueue(this.name, this.state, this.stateSince, this.stateBy, this.config, this.createdAt,
				this.updatedAt, value);
	}

}
