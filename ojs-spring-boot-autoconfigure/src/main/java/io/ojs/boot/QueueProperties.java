package io.ojs.boot;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.ojs.amqp.Ordering;
import io.ojs.amqp.Overflow;
import io.ojs.amqp.QueueKind;
import io.ojs.queue.Delivery;
import io.ojs.queue.OverflowPolicy;
import io.ojs.retry.BackoffStrategy;
import io.ojs.retry.OnExhaustion;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Properties of a queue. A value that is left out is that of the layer below.
 *
 * @param type Type of the AMQP queue: quorum or classic. Quorum by default.
 * @param deliveryLimit Number of times that the broker delivers a job that no consumer
 * settles, before it dead-letters the job; quorum queues only. 20 by default.
 * @param maxLength Number of waiting jobs at the broker above which the queue is full.
 * Unlimited by default.
 * @param maxLengthBytes Total size of the waiting jobs at the broker above which the
 * queue is full. Unlimited by default.
 * @param overflow Handling of jobs when the queue is full at the broker: reject-publish,
 * drop-head or reject-publish-dlx; the last two for classic queues only. Reject-publish
 * by default.
 * @param messageTtl Time after which the broker moves a waiting job to the dead letter
 * queue, 1ms to 3650d. Unlimited by default.
 * @param maxPriority Highest priority that the queue distinguishes, 1 to 10; classic
 * queues only. No priorities by default.
 * @param singleActiveConsumer Whether the broker delivers jobs to only one of all
 * consumers at a time. False by default.
 * @param arguments Further arguments of the AMQP queue, such as x-queue-leader-locator.
 * @param concurrency Number of jobs of the queue that this process runs at a time. The
 * largest number that its handlers name by default, or 5.
 * @param prefetch Number of jobs that each consumer holds, the running one included; up
 * to 2000. 10 by default.
 * @param timeout Longest time that an attempt may take. 30 minutes by default.
 * @param retry Retries of failed jobs.
 * @param ordering Order in which jobs run: none; strict, one job at a time; or key, one
 * job at a time of those with the same key. None by default.
 * @param orderingShards Number of shards of a queue that is ordered by key, 2 to 256. 8
 * by default.
 * @param maxSize Largest number of jobs of the queue that have not ended; exact, and
 * needs a job store. Unlimited by default.
 * @param maxSizeBytes Largest total size of the jobs of the queue that have not ended;
 * exact, and needs a job store. Unlimited by default.
 * @param overflowPolicy Handling of a new job that exceeds max-size or max-size-bytes:
 * reject, drop-oldest (discard the oldest waiting jobs) or block (wait for room). Needs a
 * job store. Reject by default.
 * @param visibilityTimeout Time without a sign of life after which a worker loses its
 * job, 1s to 7d; needs a job store. Value of ojs.store.lease by default.
 * @param retention Retention of jobs that have ended; needs a job store.
 * @param deadLetters Place and retention of dead letters; needs a job store.
 * @param allowedJobTypes Types of jobs that may be enqueued. A * stands for any
 * characters; needs a job store. All by default.
 * @param producers Names of producers that may enqueue jobs. A * stands for any
 * characters; needs a job store. All by default.
 * @param delivery Way of jobs from the job store to workers: broker, as messages; store,
 * by workers that fetch them; or hand-over, to workers outside this library and for
 * single queues only. Needs a job store. Broker by default.
 */
public record QueueProperties(@Nullable QueueKind type, @Nullable Integer deliveryLimit, @Nullable Long maxLength,
		@Nullable DataSize maxLengthBytes, @Nullable Overflow overflow, @Nullable Duration messageTtl,
		@Nullable Integer maxPriority, @Nullable Boolean singleActiveConsumer,
		@DefaultValue Map<String, Object> arguments, @Nullable Integer concurrency, @Nullable Integer prefetch,
		@Nullable Duration timeout, @DefaultValue RetryProperties retry, @Nullable Ordering ordering,
		@Nullable Integer orderingShards, @Nullable Long maxSize, @Nullable DataSize maxSizeBytes,
		@Nullable OverflowPolicy overflowPolicy, @Nullable Duration visibilityTimeout,
		@DefaultValue RetentionProperties retention, @DefaultValue DeadLetterProperties deadLetters,
		@Nullable List<String> allowedJobTypes, @Nullable List<String> producers, @Nullable Delivery delivery) {

	/**
	 * Retention of jobs that have ended.
	 *
	 * @param completed Time for which completed jobs are kept. 7 days by default.
	 * @param discarded Time for which discarded jobs, which failed for good, are kept. 30
	 * days by default.
	 * @param cancelled Time for which cancelled jobs are kept. 7 days by default.
	 */
	public record RetentionProperties(@Nullable Duration completed, @Nullable Duration discarded,
			@Nullable Duration cancelled) {
	}

	/**
	 * Place and retention of dead letters.
	 *
	 * @param queue Queue that keeps the dead letters of this queue. The queue itself by
	 * default.
	 * @param maxSize Largest number of dead letters that are kept; the oldest are deleted
	 * first. 0, the default, for any number.
	 * @param ttl Time for which dead letters are kept. 30 days by default.
	 */
	public record DeadLetterProperties(@Nullable String queue, @Nullable Long maxSize, @Nullable Duration ttl) {
	}

	/**
	 * Retries of failed jobs.
	 *
	 * @param maxAttempts Number of attempts in all, the first one included; 0 means one,
	 * as 1 does. 3 by default.
	 * @param initialInterval Delay before the first retry. 1 second by default.
	 * @param backoffCoefficient Factor by which delays grow, at least 1.0; the exponent
	 * of the polynomial strategy. 2.0 by default.
	 * @param maxInterval Longest delay before a retry. 5 minutes by default.
	 * @param jitter Whether delays vary at random. True by default.
	 * @param nonRetryableErrors Types of errors that are not retried: exact, or a prefix
	 * with .* at its end, such as payment.* for all types below it.
	 * @param onExhaustion Handling of a job that failed for good: dead-letter or discard.
	 * Dead-letter by default.
	 * @param backoffStrategy Way in which delays grow: constant, linear, exponential or
	 * polynomial. Exponential by default.
	 */
	public record RetryProperties(@Nullable Integer maxAttempts, @Nullable Duration initialInterval,
			@Nullable Double backoffCoefficient, @Nullable Duration maxInterval, @Nullable Boolean jitter,
			@Nullable List<String> nonRetryableErrors, @Nullable OnExhaustion onExhaustion,
			@Nullable BackoffStrategy backoffStrategy) {
	}

}
