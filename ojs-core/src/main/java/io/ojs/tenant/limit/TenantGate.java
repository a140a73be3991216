package io.ojs.tenant.limit;

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

import io.ojs.client.EncodedJob;
import io.ojs.job.Job;
import io.ojs.job.JobRules;
import io.ojs.job.JobState;
import io.ojs.job.Rate;
import io.ojs.job.RateLimit;
import io.ojs.rate.RateMeter;
import io.ojs.store.Admission;
import io.ojs.tenant.TenantLimitSource;
import io.ojs.tenant.TenantLimits;
import io.ojs.tenant.Tenants;
import org.jspecify.annotations.Nullable;

/**
 * Keeps tenants within their limits when jobs are enqueued (OJS Multi-Tenancy §8). A
 * tenant without a limit of this kind costs nothing.
 */
public final class TenantGate {

	/** Nobody knows when workers will have made room. */
	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private final Tenants tenants;

	private final TenantLimitSource limits;

	private final TenantUsage usage;

	private final BegunWork begun;

	private final TenantEvents events;

	private final Executor afterCommit;

	private final Clock clock;

	/**
	 * Creates a gate.
	 * @param tenants knows whether there are any
	 * @param limits tells what they may have
	 * @param usage knows what they have
	 * @param begun knows who is not to be refused
	 * @param events is told what happens
	 * @param afterCommit runs what it is given when the transaction of the caller has
	 * been committed, and not at all if it is rolled back
	 * @param clock tells the time
	 */
	public TenantGate(Tenants tenants, TenantLimitSource limits, TenantUsage usage, BegunWork begun,
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
	 * Stands before the queues: tenants are locked first, and decided upon first.
	 * @param queues what comes behind it
	 * @return both
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
						// The tenant has the existing job already.
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
	 * Locks tenants that have limits, in the transaction that inserts their jobs.
	 * @param jobs the jobs
	 * @return admits jobs, all or none; throws a {@link TenantLimitExceededException} if
	 * a tenant would have too many: whoever gets it must not insert any
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

	/** In the order of their ids, so that two batches do not wait for each other. */
	private static Map<String, List<Job>> byTenant(List<EncodedJob> jobs) {
		Map<String, List<Job>> byTenant = new TreeMap<>();
		for (EncodedJob job : jobs) {
			// What tells of the tenant's jobs is none of these, and has nobody to refuse.
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

	/** What one tenant may have. */
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
