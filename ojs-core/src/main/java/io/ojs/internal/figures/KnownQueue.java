package io.ojs.internal.figures;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A queue that is shown.
 *
 * @param state its state in JSON, such as {@code active}
 * @param pausedAt since when it is paused; {@code null} if it is not
 * @param pausedBy who has paused it, if that is known
 * @param delivery how jobs come to workers: broker, store or hand-over
 */
public record KnownQueue(String name, String state, @Nullable Instant pausedAt, @Nullable String pausedBy,
		String delivery) {

	/** Whether workers begin no jobs of the queue. */
	boolean isPaused() {
		return this.pausedAt != null;
	}

}
