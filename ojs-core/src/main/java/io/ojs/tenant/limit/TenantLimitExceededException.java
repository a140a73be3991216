package io.ojs.tenant.limit;

import java.time.Duration;

import io.ojs.ErrorCode;
import io.ojs.client.EnqueueException;
import io.ojs.job.Job;

/**
 * A tenant has as much as it may have (OJS Multi-Tenancy §8.2):
 * {@code TENANT_LIMIT_EXCEEDED}. Nothing was enqueued; of a batch, nothing at all.
 */
public final class TenantLimitExceededException extends EnqueueException {

	private static final long serialVersionUID = 1L;

	private final String tenant;

	private final String limit;

	private final long current;

	private final long maximum;

	private final long jobs;

	private final Duration retryAfter;

	TenantLimitExceededException(Job job, TenantEvent.Refused refused, Duration retryAfter) {
		super(ErrorCode.TENANT_LIMIT_EXCEEDED,
				"Tenant '%s' would exceed %s: it has %d, %d more were to come, and the limit is %d. %s".formatted(
						refused.tenant(), refused.limit(), refused.current(), refused.jobs(), refused.maximum(),
						(refused.jobs() <= refused.maximum()) ? "Try again later, or raise the limit."
								: "Enqueue fewer at once, or raise the limit."),
				job, null);
		this.tenant = refused.tenant();
		this.limit = refused.limit();
		this.current = refused.current();
		this.maximum = refused.maximum();
		this.jobs = refused.jobs();
		this.retryAfter = retryAfter;
	}

	/**
	 * The tenant.
	 * @return its id
	 */
	public String tenant() {
		return this.tenant;
	}

	/**
	 * Which limit it is.
	 * @return {@code max_queue_depth}, {@code max_scheduled} or {@code max_enqueue_rate}
	 */
	public String limit() {
		return this.limit;
	}

	/**
	 * What the tenant has, or has enqueued in this period.
	 * @return jobs; no more than {@link #maximum()} are counted
	 */
	public long current() {
		return this.current;
	}

	/**
	 * The limit.
	 * @return jobs, 0 or more
	 */
	public long maximum() {
		return this.maximum;
	}

	/**
	 * When it may pay to try again.
	 * @return the rest of the period of a rate; otherwise some seconds
	 */
	public Duration retryAfter() {
		return this.retryAfter;
	}

	/** Not for what is larger than the limit by itself. */
	@Override
	public boolean isRetryable() {
		return this.jobs <= this.maximum;
	}

	@Override
	public boolean isOutcomeUnknown() {
		return false;
	}

}
