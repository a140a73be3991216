package io.ojs.client;

import java.time.Duration;
import java.util.Map;

import io.ojs.ErrorCode;
import io.ojs.job.Job;
import io.ojs.tenant.TenantEvent;
import org.jspecify.annotations.Nullable;

/**
 * A tenant has reached a limit (OJS Multi-Tenancy §8.2): {@code TENANT_LIMIT_EXCEEDED}.
 * Neither the job nor others of its batch were enqueued.
 */
public final class TenantLimitExceededException extends EnqueueException {

	private static final long serialVersionUID = 1L;

	private final String tenant;

	private final String limit;

	private final long current;

	private final long maximum;

	private final long jobs;

	private final Duration retryAfter;

	/**
	 * Creates the exception.
	 * @param job the job
	 * @param refused the limit
	 * @param retryAfter when to try again
	 */
	public TenantLimitExceededException(Job job, TenantEvent.Refused refused, Duration retryAfter) {
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
	 * @return the id of the tenant
	 */
	public String tenant() {
		return this.tenant;
	}

	/**
	 * The name of the limit.
	 * @return {@code max_queue_depth}, {@code max_scheduled} or {@code max_enqueue_rate}
	 */
	public String limit() {
		return this.limit;
	}

	/**
	 * How many jobs the tenant has, or has enqueued in this period.
	 * @return the number; counted up to {@link #maximum()}
	 */
	public long current() {
		return this.current;
	}

	/**
	 * The value of the limit.
	 * @return the number of jobs, 0 or more
	 */
	public long maximum() {
		return this.maximum;
	}

	/**
	 * When another attempt may succeed.
	 * @return the rest of the period for a rate; otherwise some seconds
	 */
	public Duration retryAfter() {
		return this.retryAfter;
	}

	/** Whether another attempt may succeed: not if this call alone exceeds the limit. */
	@Override
	public boolean isRetryable() {
		return this.jobs <= this.maximum;
	}

	@Override
	public boolean isOutcomeUnknown() {
		return false;
	}

	@Override
	public Map<String, @Nullable Object> details() {
		return Map.of("tenant_id", this.tenant, "limit", this.limit, "current", this.current, "maximum", this.maximum);
	}

}
