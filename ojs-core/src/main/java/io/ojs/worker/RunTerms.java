package io.ojs.worker;

import java.time.Duration;

import io.ojs.fetch.Reservation;
import io.ojs.handler.RetryPolicies;
import io.ojs.handler.Timeouts;
import io.ojs.job.Job;
import io.ojs.queue.LiveQueues;
import io.ojs.retry.RetryOverrides;
import io.ojs.retry.RetryPolicy;
import io.ojs.store.StoredJob;
import io.ojs.store.attempt.LeaseKeeper;
import org.jspecify.annotations.Nullable;

/**
 * What holds for runs of jobs that are fetched: how long a worker has a job, and how it
 * is retried.
 */
public final class RunTerms {

	/** Default of how long a lease lasts: 30 minutes (OJS Worker Protocol §5.2). */
	public static final Duration DEFAULT_LEASE = Duration.ofMinutes(30);

	/** No lease is longer. */
	public static final Duration LONGEST_LEASE = Duration.ofDays(7);

	private static final long LONGEST_SECONDS = LONGEST_LEASE.toSeconds();

	private final LiveQueues queues;

	private final Timeouts timeouts;

	private final RetryPolicies retryPolicies;

	/**
	 * Creates the terms.
	 * @param queues say how long leases on their jobs last
	 * @param timeouts say how long an attempt may take
	 * @param retryPolicies say what becomes of a failure
	 */
	public RunTerms(LiveQueues queues, Timeouts timeouts, RetryPolicies retryPolicies) {
		this.queues = queues;
		this.timeouts = timeouts;
		this.retryPolicies = retryPolicies;
	}

	/**
	 * How long a worker has a job: what the job says, or what the worker asks for, or
	 * what its queue says, or {@link #DEFAULT_LEASE}.
	 * @param job the job
	 * @param asked what the worker asks for, if anything
	 * @return the lengths
	 */
	public Reservation reservation(Job job, @Nullable Duration asked) {
		Duration lease = ofJob(job);
		lease = (lease != null) ? lease : asked;
		lease = (lease != null) ? lease : this.queues.get(job.queue()).config().visibilityTimeout();
		return new Reservation(limited((lease != null) ? lease : DEFAULT_LEASE), this.timeouts.of(job));
	}

	/**
	 * A length as leases can have it.
	 * @param lease the length that somebody wants
	 * @return at least a second and at most a week
	 */
	static Duration limited(Duration lease) {
		if (lease.compareTo(LONGEST_LEASE) > 0) {
			return LONGEST_LEASE;
		}
		return (lease.compareTo(LeaseKeeper.SHORTEST_LEASE) < 0) ? LeaseKeeper.SHORTEST_LEASE : lease;
	}

	/** Whatever else stands there was kept for whoever understands it. */
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
	 * The retry policy of a job.
	 * @param stored the job
	 * @return its policy, with as many attempts as it has
	 */
	RetryPolicy policy(StoredJob stored) {
		return this.retryPolicies.ofReceived(stored.job()).with(RetryOverrides.NONE.maxAttempts(stored.maxAttempts()));
	}

}
