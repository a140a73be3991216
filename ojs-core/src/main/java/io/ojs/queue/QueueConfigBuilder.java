package io.ojs.queue;

import java.time.Duration;
import java.util.List;

import io.ojs.retry.RetryOverrides;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link QueueConfig}. Fields that are not set, or set to {@code null}, are left
 * to the layer below.
 */
public final class QueueConfigBuilder {

	private @Nullable Long maxSize;

	private @Nullable Long maxSizeBytes;

	private @Nullable OverflowPolicy overflowPolicy;

	private @Nullable Integer concurrency;

	private @Nullable QueueRateLimit rateLimit;

	private @Nullable Duration visibilityTimeout;

	private @Nullable Duration defaultTimeout;

	private @Nullable RetryOverrides defaultRetry;

	private @Nullable QueueRetention retention;

	private @Nullable String deadLetterQueue;

	private @Nullable Long deadLetterMaxSize;

	private @Nullable Duration deadLetterTtl;

	private @Nullable List<String> allowedJobTypes;

	private @Nullable List<String> producers;

	QueueConfigBuilder() {
	}

	QueueConfigBuilder(QueueConfig config) {
		this.maxSize = config.maxSize();
		this.maxSizeBytes = config.maxSizeBytes();
		this.overflowPolicy = config.overflowPolicy();
		this.concurrency = config.concurrency();
		this.rateLimit = config.rateLimit();
		this.visibilityTimeout = config.visibilityTimeout();
		this.defaultTimeout = config.defaultTimeout();
		this.defaultRetry = config.defaultRetry();
		this.retention = config.retention();
		this.deadLetterQueue = config.deadLetterQueue();
		this.deadLetterMaxSize = config.deadLetterMaxSize();
		this.deadLetterTtl = config.deadLetterTtl();
		this.allowedJobTypes = config.allowedJobTypes();
		this.producers = config.producers();
	}

	/**
	 * Sets the largest number of jobs that have not ended.
	 * @param value 0 or more; 0 for no limit; {@code null} to leave it to the layer below
	 * @return this builder
	 */
	public QueueConfigBuilder maxSize(@Nullable Long value) {
		this.maxSize = value;
		return this;
	}

	/**
	 * Sets the largest total size of their envelopes.
	 * @param value bytes, 0 or more; 0 for no limit; {@code null} to leave it to the
	 * layer below
	 * @return this builder
	 */
	public QueueConfigBuilder maxSizeBytes(@Nullable Long value) {
		this.maxSizeBytes = value;
		return this;
	}

	/**
	 * Sets what happens to a job for which there is no room.
	 * @param value the policy; {@code null} to leave it to the layer below
	 * @return this builder
	 */
	public QueueConfigBuilder overflowPolicy(@Nullable OverflowPolicy value) {
		this.overflowPolicy = value;
		return this;
	}

	/**
	 * Sets the number of jobs at a time in one process.
	 * @param value 1 or more; {@code null} to leave it to the layer below
	 * @return this builder
	 */
	public QueueConfigBuilder concurrency(@Nullable Integer value) {
		this.concurrency = value;
		return this;
	}

	/**
	 * Sets the number of jobs that may start in a period.
	 * @param value the limit; {@code null} to leave it to the layer below
	 * @return this builder
	 */
	public QueueConfigBuilder rateLimit(@Nullable QueueRateLimit value) {
		this.rateLimit = value;
		return this;
	}

	/**
	 * Sets how long a worker has a job without a sign of life.
	 * @param value one second to seven days; {@code null} to leave it to the layer below
	 * @return this builder
	 */
	public QueueConfigBuilder visibilityTimeout(@Nullable Duration value) {
		this.visibilityTimeout = value;
		return this;
	}

	/**
	 * Sets how long an attempt may take.
	 * @param value longer than zero; {@code null} to leave it to the layer below
	 * @return this builder
	 */
	public QueueConfigBuilder defaultTimeout(@Nullable Duration value) {
		this.defaultTimeout = value;
		return this;
	}

	/**
	 * Sets the retry policy of failed jobs.
	 * @param value the differences from the layer below; {@code null} to leave it to the
	 * layer below
	 * @return this builder
	 */
	public QueueConfigBuilder defaultRetry(@Nullable RetryOverrides value) {
		this.defaultRetry = value;
		return this;
	}

	/**
	 * Sets how long jobs are kept after their end.
	 * @param value the differences from the layer below; {@code null} to leave it to the
	 * layer below
	 * @return this builder
	 */
	public QueueConfigBuilder retention(@Nullable QueueRetention value) {
		this.retention = value;
		return this;
	}

	/**
	 * Sets the queue that receives the dead letters.
	 * @param value the name of a queue; {@code null} to leave it to the layer below
	 * @return this builder
	 */
	public QueueConfigBuilder deadLetterQueue(@Nullable String value) {
		this.deadLetterQueue = value;
		return this;
	}

	/**
	 * Sets the largest number of dead letters.
	 * @param value 0 or more; 0 for no limit; {@code null} to leave it to the layer below
	 * @return this builder
	 */
	public QueueConfigBuilder deadLetterMaxSize(@Nullable Long value) {
		this.deadLetterMaxSize = value;
		return this;
	}

	/**
	 * Sets how long dead letters are kept.
	 * @param value zero or more; {@code null} to leave it to the layer below
	 * @return this builder
	 */
	public QueueConfigBuilder deadLetterTtl(@Nullable Duration value) {
		this.deadLetterTtl = value;
		return this;
	}

	/**
	 * Sets the types of jobs that may be enqueued.
	 * @param value types, in which {@code *} stands for any characters; {@code null} to
	 * leave it to the layer below
	 * @return this builder
	 */
	public QueueConfigBuilder allowedJobTypes(@Nullable List<String> value) {
		this.allowedJobTypes = value;
		return this;
	}

	/**
	 * Sets the producers that may enqueue.
	 * @param value names, in which {@code *} stands for any characters; {@code null} to
	 * leave it to the layer below
	 * @return this builder
	 */
	public QueueConfigBuilder producers(@Nullable List<String> value) {
		this.producers = value;
		return this;
	}

	/**
	 * Builds the configuration.
	 * @return the configuration
	 * @throws InvalidQueueConfigException if a field breaks a rule
	 */
	public QueueConfig build() {
		return new QueueConfig(this.maxSize, this.maxSizeBytes, this.overflowPolicy, this.concurrency, this.rateLimit,
				this.visibilityTimeout, this.defaultTimeout, this.defaultRetry, this.retention, this.deadLetterQueue,
				this.deadLetterMaxSize, this.deadLetterTtl, this.allowedJobTypes, this.producers);
	}

}
