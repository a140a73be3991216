package io.ojs.tenant.internal.limit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

import io.ojs.client.TenantLimitExceededException;
import io.ojs.client.internal.EncodedJob;
import io.ojs.internal.rate.RateMeter;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.job.Rate;
import io.ojs.job.RateLimit;
import io.ojs.job.internal.JobRules;
import io.ojs.store.internal.Admission;
import io.ojs.tenant.TenantEvent;
import io.ojs.tenant.TenantLimitSource;
import io.ojs.tenant.TenantLimits;
import io.ojs.tenant.Tenants;
import io.ojs.tenant.internal.ThreadTenants;
import org.jspecify.annotations.Nullable;

/**
 * Enforces the limits of tenants when jobs are enqueued (OJS Multi-Tenancy §8). Costs
 * nothing for tenants without such limits.
 */
public final class TenantGate {

	/** A guess: it is unknown when workers will have made room. */
	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private final ThreadTenants tenants;

	private final TenantLimitSource limits;

	private final TenantUsage usage;

	private final BegunWork begun;

	private final TenantEvents events;

	private final Executor afterCommit;

	private final Clock clock;

	/**
	 * Creates a gate.
	 * @param tenants whether jobs belong to tenants
	 * @param begun marks threads whose jobs are not rejected
	 * @param afterCommit runs a task after the transaction of the caller is committed,
	 * and not at all if it is rolled back
	 */
	public TenantGate(ThreadTenants tenants, TenantLimitSource limits, TenantUsage usage, BegunWork begun,
			TenantEvents events, Executor afterCommit, Clock clock) {
		this.tenants = tenants;
		this.limits = limits;
		this.usage = usage;
		this.begun = begun;
		this.events = events;
		this.afterCommit = afterCommit;
		this.clock = clock;
	}

	/**
	 * Combines this gate with that of the queues. Tenants are locked and checked before
	 * queues.
	 */
	public Admission before(Admission queues) {
		return new Admission() {

			@Override
			public void authorize(List<EncodedJob> jobs) {
				queues.authorize(jobs);
			}

			@Override
			public boolean locks(List<EncodedJob> jobs) {
				return (TenantGate.this.tenants.isEnabled() && !byTenant(jobs).isEmpty()) || queues.locks(jobs);
			}

			@Override
			public Decision lock(List<EncodedJob> jobs) {
				Decision ofTenants = TenantGate.this.lock(jobs);
				Decision ofQueues = queues.lock(jobs);
				return new Decision() {

					@Override
					public void admit(List<EncodedJob> kept) {
						ofTenants.admit(kept);
						ofQueues.admit(kept);
					}

					@Override
					public void merge(List<EncodedJob> merged) {
						// The existing job of the tenant is counted already.
						ofQueues.merge(merged);
					}

				};
			}

			@Override
			public <T> T patiently(boolean inTransaction, Supplier<T> enqueue) {
				return queues.patiently(inTransaction, enqueue);
			}

		};
	}

	/**
	 * Locks the tenants that have limits, in the transaction that inserts their jobs.
	 * @return admits all jobs or none; throws a {@link TenantLimitExceededException} if a
	 * tenant would exceed a limit: then the caller must not insert any
	 */
	Admission.Decision lock(List<EncodedJob> jobs) {
		if (!this.tenants.isEnabled() || this.begun.isPresent()) {
			return Admission.Decision.ALL;
		}
		Instant now = this.clock.instant();
		Map<String, TenantLimits> locked = new TreeMap<>();
		byTenant(jobs).keySet().forEach((tenant) -> {
			TenantLimits own = this.limits.of(tenant);
			if (own.limitsEnqueueing()) {
				this.usage.lock(tenant, now);
				locked.put(tenant, own);
			}
		});
		return locked.isEmpty() ? Admission.Decision.ALL : (kept) -> byTenant(kept).forEach((tenant, ofTenant) -> {
			TenantLimits own = locked.get(tenant);
			if (own != null) {
				admit(tenant, own, ofTenant, now);
			}
		});
	}

	/** Sorted by id, so that two batches lock tenants in the same order. */
	private static Map<String, List<Job>> byTenant(List<EncodedJob> jobs) {
		Map<String, List<Job>> byTenant = new TreeMap<>();
		for (EncodedJob job : jobs) {
			// Deliveries of webhooks report on the tenant's jobs and are not counted
			// among them; there is no caller that could be rejected.
			if (!job.job().type().equals(JobRules.WEBHOOK_TYPE)) {
				Tenants.of(job.job())
					.ifPresent((tenant) -> byTenant.computeIfAbsent(tenant, (id) -> new ArrayList<>()).add(job.job()));
			}
		}
		return byTenant;
	}

	private void admit(String tenant, TenantLimits limits, List<Job> jobs, Instant now) {
		List<Job> scheduled = jobs.stream().filter((job) -> job.state() == JobState.SCHEDULED).toList();
		List<Job> waiting = jobs.stream().filter((job) -> job.state() != JobState.PENDING).toList();
		List<TenantEvent.LimitReached> reached = new ArrayList<>();
		Tally tally = new Tally(tenant, reached);
		tally.check("max_scheduled", limits.maxScheduled(), scheduled, (most) -> this.usage.scheduled(tenant, most));
		tally.check("max_queue_depth", limits.maxQueueDepth(), waiting, (most) -> this.usage.waiting(tenant, most));
		if (limits.maxEnqueueRate() != null) {
			count(limits.maxEnqueueRate(), tally, jobs, now);
		}
		if (!reached.isEmpty()) {
			this.usage.append(reached, now);
			this.afterCommit.execute(() -> reached.forEach(this.events::publish));
		}
	}

	private void count(Rate rate, Tally tally, List<Job> jobs, Instant now) {
		RateLimit asked = RateLimit.of(tally.tenant).rate(rate.limit(), rate.period());
		RateMeter meter = new RateMeter(tally.tenant, 0);
		EnqueuePeriod last = this.usage.enqueued(tally.tenant).orElse(null);
		if (last != null && last.length().equals(rate.period())) {
			meter.window(rate.period(), new RateMeter.Window(last.since(), last.jobs()));
		}
		for (int i = 0; i < jobs.size(); i++) {
			RateMeter.Refusal refusal = meter.ask(asked, now);
			if (refusal != null) {
				Instant until = Objects.requireNonNull(refusal.until());
				throw tally.refuse("max_enqueue_rate", rate.limit() - i, rate.limit(), jobs, i,
						Duration.between(now, until));
			}
			meter.started(List.of(asked), now);
		}
		RateMeter.Window window = Objects.requireNonNull(meter.windows().get(rate.period()));
		this.usage.enqueued(tally.tenant, new EnqueuePeriod(rate.period(), window.since(), window.starts()));
		if (window.starts() >= rate.limit()) {
			tally.reached("max_enqueue_rate", rate.limit(), jobs);
		}
	}

	/** Checks the limits of one tenant and collects its events. */
	private final class Tally {

		private final String tenant;

		private final List<TenantEvent.LimitReached> reached;

		Tally(String tenant, List<TenantEvent.LimitReached> reached) {
			this.tenant = tenant;
			this.reached = reached;
		}

		void check(String limit, @Nullable Long maximum, List<Job> jobs, LongUnaryOperator counting) {
			if (maximum == null || jobs.isEmpty()) {
				return;
			}
			long current = counting.applyAsLong(maximum);
			long room = maximum - current;
			if (jobs.size() > room) {
				throw refuse(limit, current, maximum, jobs, (int) Math.max(0, room), PATIENCE);
			}
			if (jobs.size() == room) {
				reached(limit, maximum, jobs);
			}
		}

		void reached(String limit, long maximum, List<Job> jobs) {
			this.reached
				.add(new TenantEvent.LimitReached(this.tenant, limit, maximum, jobs.get(jobs.size() - 1).queue()));
		}

		TenantLimitExceededException refuse(String limit, long current, long maximum, List<Job> jobs, int first,
				Duration retryAfter) {
			TenantEvent.Refused refused = new TenantEvent.Refused(this.tenant, limit, current, maximum, jobs.size());
			TenantGate.this.events.publish(refused);
			return new TenantLimitExceededException(jobs.get(first), refused, retryAfter);
		}

	}

}
