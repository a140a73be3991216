package io.ojs.queue;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How long the jobs of a queue are kept after their end (OJS Queue Configuration §6.3).
 * Fields that are {@code null} are left to the layer below.
 * <p>
 * Begin with {@link #NONE}: the constructor changes when a component is added.
 *
 * @param completed for completed jobs, zero or more
 * @param discarded for discarded jobs that are not dead letters, zero or more
 * @param cancelled for cancelled jobs, zero or more
 */
public record QueueRetention(@Nullable Duration completed, @Nullable Duration discarded, @Nullable Duration cancelled) {

	/** Sets no field. */
	public static final QueueRetention NONE = new QueueRetention(null, null, null);

	/** The defaults of the library: 7, 30 and 7 days. */
	public static final QueueRetention DEFAULT = new QueueRetention(Duration.ofDays(7), Duration.ofDays(30),
			Duration.ofDays(7));

	public QueueRetention {
		QueueRules.notNegative("retention.completed", completed);
		QueueRules.notNegative("retention.discarded", discarded);
		QueueRules.notNegative("retention.cancelled", cancelled);
	}

	/**
	 * Sets how long completed jobs are kept.
	 * @param value zero or more
	 * @return a changed copy
	 * @throws InvalidQueueConfigException if the value is negative
	 */
	public QueueRetention completed(Duration value) {
		return new QueueRetention(value, this.discarded, this.cancelled);
	}

	/**
	 * Sets how long discarded jobs are kept that are not dead letters.
	 * @param value zero or more
	 * @return a changed copy
	 * @throws InvalidQueueConfigException if the value is negative
	 */
	public QueueRetention discarded(Duration value) {
		return new QueueRetention(this.completed, value, this.cancelled);
	}

	/**
	 * Sets how long cancelled jobs are kept.
	 * @param value zero or more
	 * @return a changed copy
	 * @throws InvalidQueueConfigException if the value is negative
	 */
	public QueueRetention cancelled(Duration value) {
		return new QueueRetention(this.completed, this.discarded, value);
	}

	/**
	 * Combines this layer with a lower one.
	 * @param lower the layer that has the fields which this one does not set
	 * @return the combined layers
	 */
	public QueueRetention over(QueueRetention lower) {
		return new QueueRetention((this.completed != null) ? this.completed : lower.completed,
				(this.discarded != null) ? this.discarded : lower.discarded,
				(this.cancelled != null) ? this.cancelled : lower.cancelled);
	}

}
