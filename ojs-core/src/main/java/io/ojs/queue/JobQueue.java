package io.ojs.queue;

import java.time.Instant;

import io.ojs.job.InvalidJobException;
import io.ojs.job.internal.JobRules;
import org.jspecify.annotations.Nullable;

/**
 * A queue (OJS Queue Configuration §9.3).
 *
 * @param name its name
 * @param state its state
 * @param stateSince when its state was last changed
 * @param stateBy the user who changed it over the HTTP API; {@code null} if it was the
 * application itself, or a user who is not known
 * @param explicit its own configuration
 * @param config its configuration, from all layers
 * @param createdAt when it was created
 * @param updatedAt when its state or own configuration was last changed
 */
public record JobQueue(String name, QueueState state, Instant stateSince, @Nullable String stateBy,
		QueueConfig explicit, QueueConfig config, Instant createdAt, Instant updatedAt) {

	/** The name of the default policy in the store (§7.1); no queue has this name. */
	public static final String DEFAULT_POLICY = "_default";

	/**
	 * Checks the name of a queue that an operator wants to change.
	 * @param name the name
	 * @return the name
	 * @throws InvalidQueueConfigException if it cannot be the name of a queue
	 */
	public static String requireName(@Nullable String name) {
		if (DEFAULT_POLICY.equals(name)) {
			throw new InvalidQueueConfigException("name", name,
					"must not be the name of the default policy; use setDefaultPolicy to change that");
		}
		try {
			return JobRules.queue(name);
		}
		catch (InvalidJobException ex) {
			throw new InvalidQueueConfigException("name", name, "must be the name of a queue: " + ex.getMessage(), ex);
		}
	}

}
