package io.ojs.queue;

import java.time.Instant;

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

}
