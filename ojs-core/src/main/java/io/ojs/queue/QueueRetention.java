package io.ojs.queue;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How long a queue's jobs are kept when they have ended (OJS Queue Configuration §6.3).
 * What is {@code null} is left to the layer below.
 *
 * @param completed for jobs that succeeded, zero or more
 * @param discarded for jobs that failed for good, zero or more
 * @param cancelled for jobs that were cancelled, zero or more
 */
public record QueueRetention(@Nullable Duration completed, @Nullable Duration discarded, @Nullable Duration cancelled) {

	/** Nothing said. */
	public static final QueueRetention NONE = new QueueRetention(null, null, null);

	/** What counts where nobody says anything: 7, 30 and 7 days. */
	public static final QueueRetention DEFAULT = new QueueRetention(Duration.ofDays(7), Duration.ofDays(30),
			Duration.ofDays(7));

	public QueueRetention {
		QueueRules.notNegative("retention.completed", completed);
		QueueRules.notNegative("retention.discarded", discarded);
		QueueRules.notNegative("retention.cancelled", cancelled);
	}

	/**
	 * Lays this over another layer.
	 * @param lower what counts where this says nothing
	 * @return both
	 */
	public QueueRetention over(QueueRetention lower) {
		return new QueueRetention((this.completed != null) ? this.completed : lower.completed,
				(this.discarded != null) ? this.discarded : lower.discarded,
				(this.cancelled != null) ? this.cancelled : lower.cancelled);
	}

}
