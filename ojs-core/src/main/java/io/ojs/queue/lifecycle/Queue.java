package io.ojs.queue.lifecycle;

import java.time.Instant;

import io.ojs.job.InvalidJobException;
import io.ojs.job.JobRules;
import io.ojs.queue.InvalidQueueConfigException;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueState;
import org.jspecify.annotations.Nullable;

/**
 * A queue (OJS Queue Configuration §9.3).
 *
 * @param name its name
 * @param state where it is in its life
 * @param explicit what was said about this queue by itself
 * @param config what counts: all layers
 * @param createdAt when it was created
 * @param updatedAt when something was last changed of it
 */
public record Queue(String name, QueueState state, QueueConfig explicit, QueueConfig config, Instant createdAt,
		Instant updatedAt) {

	/** The name under which the default policy is kept (§7.1); no queue has it. */
	public static final String DEFAULT_POLICY = "_default";

	/**
	 * Checks the name of a queue that an operator wants to do something to.
	 */
	static String requireName(@Nullable String name) {
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
