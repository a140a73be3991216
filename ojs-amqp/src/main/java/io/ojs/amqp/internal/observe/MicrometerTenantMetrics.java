package io.ojs.amqp.internal.observe;

import java.util.Collection;
import java.util.Set;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.ojs.event.JobEvent;
import io.ojs.event.JobEventListener;
import io.ojs.job.Job;
import io.ojs.tenant.TenantEvent;
import io.ojs.tenant.TenantEventListener;
import io.ojs.tenant.Tenants;

/**
 * Meters of tenants' jobs in this process, by Micrometer (OJS Multi-Tenancy §11.2):
 * {@code ojs.tenant.jobs.enqueued}, {@code ojs.tenant.jobs.processed},
 * {@code ojs.tenant.jobs.failed} and {@code ojs.tenant.jobs.rejected}. Only configured
 * tenants have meters of their own. All others share theirs, so that the number of meters
 * is limited.
 */
public final class MicrometerTenantMetrics implements JobEventListener, TenantEventListener {

	/** Stands for all tenants that are not configured. No tenant has this id. */
	public static final String OTHER = "_other";

	private static final String TENANT = "tenant_id";

	private final Set<String> tenants;

	private final BoundedNames queues;

	private final MeterTable<Counter> enqueued;

	private final MeterTable<Counter> processed;

	private final MeterTable<Counter> failed;

	private final MeterTable<Counter> rejected;

	/**
	 * Creates the metrics.
	 * @param tenants ids of tenants with meters of their own; if empty, there are no
	 * meters at all
	 * @param queues known OJS queues; jobs of others are counted together
	 */
	public MicrometerTenantMetrics(MeterRegistry registry, Collection<String> tenants, Collection<String> queues) {
		this.tenants = Set.copyOf(tenants);
		this.queues = new BoundedNames(queues, 0);
		this.enqueued = counters(registry, "enqueued", "Jobs of the tenant that this process enqueued", "queue");
		this.processed = counters(registry, "processed", "Jobs of the tenant that handlers completed", "queue");
		this.failed = counters(registry, "failed", "Attempts of jobs of the tenant that failed", "queue");
		this.rejected = counters(registry, "rejected", "Jobs that were refused for a limit of the tenant", "limit");
	}

	private static MeterTable<Counter> counters(MeterRegistry registry, String what, String description,
			String second) {
		return new MeterTable<>(TENANT, second,
				(tags) -> Counter.builder("ojs.tenant.jobs." + what)
					.description(description)
					.tags(tags)
					.register(registry));
	}

	@Override
	public void onEvent(JobEvent event) {
		Job job = event.job();
		if (MicrometerJobMetrics.isNew(event)) {
			count(this.enqueued, job);
		}
		else if (event instanceof JobEvent.Completed) {
			count(this.processed, job);
		}
		else if (event instanceof JobEvent.Retrying || event instanceof JobEvent.DeadLettered
				|| event instanceof JobEvent.Discarded) {
			count(this.failed, job);
		}
	}

	private void count(MeterTable<Counter> counters, Job job) {
		Tenants.of(job)
			.filter((tenant) -> !this.tenants.isEmpty())
			.ifPresent((tenant) -> counters.of(name(tenant), this.queues.known(job.queue())).increment());
	}

	@Override
	public void onEvent(TenantEvent event) {
		if (event instanceof TenantEvent.Refused refused && !this.tenants.isEmpty()) {
			this.rejected.of(name(refused.tenant()), refused.limit()).increment(refused.jobs());
		}
	}

	private String name(String tenant) {
		return this.tenants.contains(tenant) ? tenant : OTHER;
	}

}
