package io.ojs.internal.worker;

import java.time.Duration;

import io.ojs.handler.internal.RetryPolicies;
import io.ojs.handler.internal.Timeouts;
import io.ojs.internal.fetch.Reservation;
import io.ojs.job.Job;
import io.ojs.queue.internal.LiveQueues;
import io.ojs.retry.RetryOverrides;
import io.ojs.retry.RetryPolicy;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.attempt.LeaseKeeper;
import org.jspecify.annotations.Nullable;

/**
 * The terms of fetched runs: how long a worker has a job, and how the job is retried.
 */
public final class RunTerms {

	/** The default duration of a lease: 30 minutes (OJS Worker Protocol §5.2). */
	public static final Duration DEFAULT_LEASE = Duration.ofMinutes(30);

	/** The longest lease. */
	public static final Duration LONGEST_LEASE = Duration.ofDays(7);

	private static final long LONGEST_SECONDS = LONGEST_LEASE.toSeconds();

	private final LiveQueues queues;

	private final Timeouts timeouts;

	private final RetryPolicies retryPolicies;

	/**
	 * Creates the terms.
	 * @param timeouts decide how long an attempt may take
	 * @param retryPolicies decide what happens after a failure
	 */
	public RunTerms(LiveQueues queues, Timeouts timeouts, RetryPolicies retryPolicies) {
		this.queues = queues;
		this.timeouts = timeouts;
		this.retryPolicies = retryPolicies;
	}

	/**
	 * Returns how long a worker has a job. The lease is that of the job, or that of the
	 * request, or that of its queue, or {@link #DEFAULT_LEASE}.
	 * @param asked the lease in the request, if it has one
	 */
	public Reservation reservation(Job job, @Nullable Duration asked) {
		Duration lease = ofJob(job);
		lease = (lease != null) ? lease : asked;
		lease = (lease != null) ? lease : this.queues.get(job.queue()).config().visibilityTimeout();
		return new Reservation(limited((lease != null) ? lease : DEFAULT_LEASE), this.timeouts.of(job));
	}

	/**
	 * Limits a lease to its allowed range.
	 * @return at least a second and at most a week
	 */
	static Duration limited(Duration lease) {
		if (lease.compareTo(LONGEST_LEASE) > 0) {
			return LONGEST_LEASE;
		}
		return (lease.compareTo(LeaseKeeper.SHORTEST_LEASE) < 0) ? LeaseKeeper.SHORTEST_LEASE : lease;
	}

	/**
	 * Returns the lease in the envelope. A value of another type is ignored: it may be
	 * meant for another program.
	 */
	private static @Nullable Duration ofJob(Job job) {
		Duration millis = duration(job.extensions().get("visibility_timeout_ms"), 1);
		return (millis != null) ? millis : duration(job.extensions().get("visibility_timeout"), 1000);
	}

	private static @Nullable Duration duration(@Nullable Object value, int unitMillis) {
		if (value instanceof Number number && number.doubleValue() > 0) {
			double millis = Math.min(number.doubleValue() * unitMillis, LONGEST_SECONDS * 1000.0);
			return Duration.ofMillis(Math.max(1, Math.round(millis)));
		}
		return null;
	}

	/**
	 * Returns the retry policy of a job.
	 * @return its policy, with the number of attempts in its row
	 */
	RetryPolicy policy(StoredJob stored) {
		return this.retryPolicies.ofReceived(stored.job()).with(RetryOverrides.NONE.maxAttempts(stored.maxAttempts()));
	}

}
