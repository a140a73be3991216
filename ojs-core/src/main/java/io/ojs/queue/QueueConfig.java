package io.ojs.queue;

import java.time.Duration;
import java.util.List;

import io.ojs.handler.internal.Timeouts;
import io.ojs.job.InvalidJobException;
import io.ojs.job.internal.JobRules;
import io.ojs.retry.InvalidRetryPolicyException;
import io.ojs.retry.RetryOverrides;
import io.ojs.retry.RetryPolicy;
import io.ojs.store.internal.attempt.LeaseKeeper;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a queue (OJS Queue Configuration §6): one layer, or several on top
 * of each other. Fields that are {@code null} are left to the layer below. Immutable.
 * <p>
 * Use the builder, {@link #builder}: the constructor changes when a component is added.
 *
 * @param maxSize the largest number of jobs that have not ended; 0 for no limit
 * @param maxSizeBytes the largest total size of their envelopes; 0 for no limit
 * @param overflowPolicy what happens to a job for which there is no room
 * @param concurrency jobs at a time in one process, 1 or more
 * @param rateLimit the number of jobs that may start in a period
 * @param visibilityTimeout how long a worker has a job without a sign of life, one second
 * to seven days; in JSON, whole seconds
 * @param defaultTimeout how long an attempt may take; in JSON, whole seconds
 * @param defaultRetry the retry policy of failed jobs; its extensions are not kept
 * @param retention how long jobs are kept after their end
 * @param deadLetterQueue another queue, which receives the dead letters
 * @param deadLetterMaxSize the largest number of dead letters; 0 for no limit
 * @param deadLetterTtl how long dead letters are kept
 * @param allowedJobTypes the types of jobs that may be enqueued; {@code *} stands for any
 * characters
 * @param producers the names of producers that may enqueue; {@code *} stands for any
 * characters
 */
public record QueueConfig(@Nullable Long maxSize, @Nullable Long maxSizeBytes, @Nullable OverflowPolicy overflowPolicy,
		@Nullable Integer concurrency, @Nullable QueueRateLimit rateLimit, @Nullable Duration visibilityTimeout,
		@Nullable Duration defaultTimeout, @Nullable RetryOverrides defaultRetry, @Nullable QueueRetention retention,
		@Nullable String deadLetterQueue, @Nullable Long deadLetterMaxSize, @Nullable Duration deadLetterTtl,
		@Nullable List<String> allowedJobTypes, @Nullable List<String> producers) {

	/** A base for checks of a partial policy, which accepts any interval. */
	private static final RetryPolicy ANY_INTERVAL = RetryPolicy.DEFAULT
		.with(RetryOverrides.NONE.initialInterval(Duration.ofNanos(1)).maxInterval(Duration.ofSeconds(Long.MAX_VALUE)));

	private static final Duration LONGEST_VISIBILITY = Duration.ofDays(7);

	/** Sets no field. */
	public static final QueueConfig NONE = new QueueConfigBuilder().build();

	/**
	 * The defaults of the library. They have no concurrency and no visibility timeout,
	 * which have defaults in the worker and the store.
	 */
	public static final QueueConfig DEFAULT = new QueueConfigBuilder().maxSize(0L)
		.maxSizeBytes(0L)
		.overflowPolicy(OverflowPolicy.REJECT)
		.defaultTimeout(Timeouts.DEFAULT)
		.defaultRetry(RetryPolicy.DEFAULT.asOverrides())
		.retention(QueueRetention.DEFAULT)
		.deadLetterMaxSize(0L)
		.deadLetterTtl(Duration.ofDays(30))
		.allowedJobTypes(List.of("*"))
		.producers(List.of("*"))
		.build();

	public QueueConfig {
		QueueRules.notNegative("max_size", maxSize);
		QueueRules.notNegative("max_size_bytes", maxSizeBytes);
		QueueRules.require(concurrency == null || concurrency >= 1, "concurrency", concurrency, "must be 1 or more");
		visibilityTimeout(visibilityTimeout);
		QueueRules.positive("default_timeout", defaultTimeout);
		retry(defaultRetry);
		deadLetterQueue(deadLetterQueue);
		QueueRules.notNegative("dead_letter_max_size", deadLetterMaxSize);
		QueueRules.notNegative("dead_letter_ttl", deadLetterTtl);
		allowedJobTypes = QueueRules.patterns("allowed_job_types", allowedJobTypes);
		producers = QueueRules.patterns("producers", producers);
	}

	private static void visibilityTimeout(@Nullable Duration timeout) {
		QueueRules.require(timeout == null
				|| (timeout.compareTo(LeaseKeeper.SHORTEST_LEASE) >= 0 && timeout.compareTo(LONGEST_VISIBILITY) <= 0),
				"visibility_timeout", timeout, "must be at least a second, or jobs are taken from workers that are "
						+ "only slow, and at most seven days");
	}

	private static void retry(@Nullable RetryOverrides retry) {
		try {
			ANY_INTERVAL.with(retry);
		}
		catch (InvalidRetryPolicyException ex) {
			throw new InvalidQueueConfigException("default_retry." + ex.field(), ex.value(), ex.problem(), ex);
		}
	}

	private static void deadLetterQueue(@Nullable String queue) {
		try {
			if (queue != null) {
				JobRules.queue(queue);
			}
		}
		catch (InvalidJobException ex) {
			throw new InvalidQueueConfigException("dead_letter_queue", queue,
					"must be the name of a queue: " + ex.getMessage(), ex);
		}
	}

	/**
	 * Creates a builder.
	 * @return a builder without any field
	 */
	public static QueueConfigBuilder builder() {
		return new QueueConfigBuilder();
	}

	/**
	 * Creates a builder with the fields of this configuration.
	 * @return the builder
	 */
	public QueueConfigBuilder toBuilder() {
		return new QueueConfigBuilder(this);
	}

	/**
	 * Combines this layer with a lower one (§7.2). {@code retention} and
	 * {@code default_retry} are combined field by field; every other field is taken as a
	 * whole. If a retry interval of this layer does not fit the other interval of the
	 * lower layer, the lower one is adapted.
	 * @param lower the layer that has the fields which this one does not set
	 * @return the combined layers
	 */
	public QueueConfig over(QueueConfig lower) {
		return new QueueConfig(or(this.maxSize, lower.maxSize), or(this.maxSizeBytes, lower.maxSizeBytes),
				or(this.overflowPolicy, lower.overflowPolicy), or(this.concurrency, lower.concurrency),
				or(this.rateLimit, lower.rateLimit), or(this.visibilityTimeout, lower.visibilityTimeout),
				or(this.defaultTimeout, lower.defaultTimeout), both(this.defaultRetry, lower.defaultRetry),
				both(this.retention, lower.retention), or(this.deadLetterQueue, lower.deadLetterQueue),
				or(this.deadLetterMaxSize, lower.deadLetterMaxSize), or(this.deadLetterTtl, lower.deadLetterTtl),
				or(this.allowedJobTypes, lower.allowedJobTypes), or(this.producers, lower.producers));
	}

	private static <T> @Nullable T or(@Nullable T own, @Nullable T lower) {
		return (own != null) ? own : lower;
	}

	private static @Nullable RetryOverrides both(@Nullable RetryOverrides own, @Nullable RetryOverrides lower) {
		return (own != null && lower != null) ? own.over(lower) : or(own, lower);
	}

	private static @Nullable QueueRetention both(@Nullable QueueRetention own, @Nullable QueueRetention lower) {
		return (own != null && lower != null) ? own.over(lower) : or(own, lower);
	}

	/**
	 * Whether the queue can be full.
	 * @return whether a limit is set
	 */
	public boolean isLimited() {
		return (this.maxSize != null && this.maxSize > 0) || (this.maxSizeBytes != null && this.maxSizeBytes > 0);
	}

	/**
	 * Returns the retry policy for jobs and handlers that do not set one.
	 * @return {@link #defaultRetry} over the defaults
	 */
	public RetryPolicy retryPolicy() {
		RetryOverrides defaults = RetryPolicy.DEFAULT.asOverrides();
		return RetryPolicy.DEFAULT.with((this.defaultRetry != null) ? this.defaultRetry.over(defaults) : defaults);
	}

}
