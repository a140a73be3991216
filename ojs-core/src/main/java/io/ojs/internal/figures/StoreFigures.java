package io.ojs.internal.figures;

import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What the job store keeps. Jobs that have ended are not counted, except dead letters.
 *
 * @param queues the jobs of each queue that has any
 * @param deadLetters the dead letters of each queue that has any
 * @param outbox the jobs that are due and not published
 * @param complete whether all jobs were counted; otherwise, some numbers are the bound of
 * their queue, and there may be more
 * @param deadLettersComplete the same for dead letters
 */
public record StoreFigures(Map<String, Depth> queues, Map<String, Long> deadLetters, Outbox outbox, boolean complete,
		boolean deadLettersComplete) {

	/**
	 * The jobs of a queue.
	 *
	 * @param available without those that a limit blocks
	 * @param blocked available jobs that wait for a limit
	 * @param oldestAvailableAt since when the oldest available job waits; {@code null}
	 * without one
	 * @param complete whether all were counted
	 */
	public record Depth(long scheduled, long available, long pending, long active, long retryable, long blocked,
			@Nullable Instant oldestAvailableAt, boolean complete) {

		/** A queue without jobs. */
		public static final Depth NONE = new Depth(0, 0, 0, 0, 0, 0, null, true);

	}

	/**
	 * Jobs that the relay is to publish.
	 *
	 * @param oldestAt since when the oldest is due; {@code null} without one
	 */
	public record Outbox(long waiting, @Nullable Instant oldestAt) {
	}

}
