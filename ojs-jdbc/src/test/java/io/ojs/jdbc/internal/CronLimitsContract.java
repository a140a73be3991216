package io.ojs.jdbc.internal;

import java.util.List;

import io.ojs.client.internal.EncodedJob;
import io.ojs.cron.CronRun;
import io.ojs.cron.OverlapPolicy;
import io.ojs.jdbc.internal.tenant.JdbcTenantUsage;
import io.ojs.job.JobRequest;
import io.ojs.middleware.EnqueueMiddleware;
import io.ojs.middleware.MiddlewareChain;
import io.ojs.store.internal.Admission;
import io.ojs.tenant.TenantLimits;
import io.ojs.tenant.TenantResolver;
import io.ojs.tenant.Tenants;
import io.ojs.tenant.internal.ThreadTenants;
import io.ojs.tenant.internal.limit.BegunWork;
import io.ojs.tenant.internal.limit.TenantEvents;
import io.ojs.tenant.internal.limit.TenantGate;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Crons of tenants with limits.
 */
abstract class CronLimitsContract extends CronsOnStore {

	@Override
	void middleware(MiddlewareChain<EnqueueMiddleware> chain) {
		chain.add("limits", (job) -> {
			List<EncodedJob> jobs = List.of(new EncodedJob(job, new byte[0], 3));
			gate().lock(jobs).admit(jobs);
			return job;
		});
	}

	private Admission gate() {
		return new TenantGate(new ThreadTenants(true, false, TenantResolver.NONE),
				(tenant) -> TenantLimits.NONE.maxQueueDepth(1), new JdbcTenantUsage(this.stores.database),
				new BegunWork(), new TenantEvents(List.of()), this.stores.transactions::afterCommit, this.clock)
			.before(Admission.OPEN);
	}

	@Test
	void aRunThatIsRefusedIsRecordedAsSuchAndTheCronGoesOn() {
		register("gate",
				(cron) -> cron.job(JobRequest.of("gate.open", "gate").queue("gate").meta(Tenants.META_KEY, "acme"))
					.overlap(OverlapPolicy.ALLOW));
		minute();
		minute();
		assertThat(this.crons.runs("gate", 1)).singleElement().satisfies((run) -> {
			assertThat(run.outcome()).isEqualTo(CronRun.Outcome.SKIPPED);
			assertThat(run.reason()).isEqualTo("tenant_limit_exceeded");
			assertThat(run.detail()).contains("max_queue_depth");
		});
		complete(jobs().get(0));
		minute();
		assertThat(jobs()).hasSize(2);
	}

}
