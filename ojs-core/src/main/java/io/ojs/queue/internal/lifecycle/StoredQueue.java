package io.ojs.queue.internal.lifecycle;

import java.time.Instant;

import io.ojs.queue.JobQueue;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueState;

/**
 * A queue as a {@link QueueStore} keeps it.
 *
 * @param name its name, or {@link JobQueue#DEFAULT_POLICY}
 * @param state its state
 * @param config its own configuration
 * @param createdAt when it was created
 * @param updatedAt when it was last changed
 * @param version the number of the change, which grows over the changes of all queues
 */
public record StoredQueue(String name, QueueState state, QueueConfig config, Instant createdAt, Instant updatedAt,
		long version) {

	/**
	 * Creates an active queue without its own configuration.
	 * @return the queue; its store sets the version
	 */
	public static StoredQueue created(String name, Instant now) {
		return new StoredQueue(name, QueueState.ACTIVE, QueueConfig.NONE, now, now, 0);
	}

	/**
	 * Returns a copy with another state.
	 * @return the copy; its store sets the version
	 */
	public StoredQueue state(QueueState value, Instant now) {
		return new StoredQueue(this.name, value, this.config, this.createdAt, now, 0);
	}

	/**
	 * Returns a copy with another configuration.
	 * @return the copy; its store sets the version
	 */
	public StoredQueue config(QueueConfig value, Instant now) {
		return new StoredQueue(this.name, this.state, value, this.createdAt, now, 0);
	}

	/** Returns a copy with the number of its change. */
	public StoredQueue version(long value) {
		return new StoredQueue(this.name, this.state, this.config, this.createdAt, this.updatedAt, value);
	}

}
