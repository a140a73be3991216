package io.ojs.jdbc;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import io.ojs.engine.Decision;
import io.ojs.engine.JobRow;
import io.ojs.engine.StartGate;
import io.ojs.engine.Transitions;
import io.ojs.job.HandledJobs;
import io.ojs.job.Job;
import io.ojs.rate.RateMeter;
import org.jspecify.annotations.Nullable;

/**
 * Holds back jobs of versions that the worker cannot run, and those that a limit does not
 * let start.
 */
final class JdbcStartGate implements StartGate {

	private final StoreDatabase database;

	private final RateLimits limits;

	private final VersionWaits versions;

	JdbcStartGate(StoreDatabase database, Instant now) {
		this(database, new RateLimits(database, now), now);
	}

	JdbcStartGate(StoreDatabase database, RateLimits limits, Instant now) {
		this.database = database;
		this.limits = limits;
		this.versions = new VersionWaits(database, now);
	}

	@Override
	public void lock(Map<JobRow, Job> jobs) {
		this.limits.lock(jobs);
	}

	@Override
	public @Nullable Decision refuse(JobRow row, Job job, HandledJobs handled, Transitions transitions) {
		if (!handled.contain(row.type, row.version())) {
			return new Decision.WaitForWorker(this.versions.hold(row, transitions));
		}
		RateMeter.Refusal refusal = this.limits.admit(row, job, transitions);
		return (refusal != null) ? new Decision.Limited(refusal.key()) : null;
	}

	@Override
	public boolean isLimited(JobRow row, Job job) {
		return this.limits.limit(row, job);
	}

	@Override
	public void save(Collection<JobRow> started) {
		this.limits.save();
		new Turns(this.database).follow(List.copyOf(started));
	}

}
