package io.ojs.queue.lifecycle;

import java.time.Instant;

import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueState;

/**
 * What a {@link QueueStore} holds of a queue.
 *
 * @param name its name, or {@link Queue#DEFAULT_POLICY}
 * @param state where it is in its life
 * @param config what was said about this queue by itself
 * @param createdAt when it was created
 * @param updatedAt when something was last changed of it
 * @param version number of the change, which grows over the changes of all queues
 */
public record StoredQueue(String name, QueueState state, QueueConfig config, Instant createdAt, Instant updatedAt,
		long version) {

	/**
	 * A queue that nobody has said anything about.
	 * @param name its name
	 * @param now when it comes to be
	 * @return the queue; its store gives it a version
	 */
	public static StoredQueue created(String name, Instant now) {
		return new StoredQueue(name, QueueState.ACTIVE, QueueConfig.NONE, now, now, 0);
	}

	/**
	 * Changes the state.
	 * @param value the state
	 * @param now when that happens
	 * @return a changed copy; its store gives it a version
	 */
	public StoredQueue state(QueueState value, Instant now) {
		return new StoredQueue(this.name, value, this.config, this.createdAt, now, 0);
	}

	/**
	 * Changes the configuration.
	 * @param value the configuration
	 * @param now when that happens
	 * @return a changed copy; its store gives it a version
	 */
	public StoredQueue config(QueueConfig value, Instant now) {
		return new StoredQueue(this.name, this.state, value, this.createdAt, now, 0);
	}

	/**
	 * Numbers the change.
	 * @param value the number
	 * @return a changed copy
	 */
	public StoredQueue version(long value) {
		return new StoredQueue(this.name, this.state, this.config, this.createdAt, this.updatedAt, value);
	}

}
