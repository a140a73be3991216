package io.ojs.jdbc.internal.tenant;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import io.ojs.internal.engine.FeedEvent;
import io.ojs.internal.engine.Times;
import io.ojs.jdbc.internal.SqlTimes;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.job.JobState;
import io.ojs.tenant.TenantEvent;
import io.ojs.tenant.Tenants;
import io.ojs.tenant.internal.limit.EnqueuePeriod;
import io.ojs.tenant.internal.limit.TenantUsage;

/**
 * Counts what tenants have in a database. A transaction locks the row of a tenant in
 * {@code ojs_tenant}, so counts are exact as long as it sees what other transactions have
 * committed in the meantime ({@code READ COMMITTED}, the default of databases).
 */
public final class JdbcTenantUsage implements TenantUsage {

	private final StoreDatabase database;

	public JdbcTenantUsage(StoreDatabase database) {
		this.database = database;
	}

	@Override
	public void lock(String tenant, Instant now) {
		this.database.write("lock tenant '%s'".formatted(tenant), () -> {
			if (!lock(tenant)) {
				make(tenant);
				lock(tenant);
			}
			return true;
		});
	}

	private boolean lock(String tenant) {
		return !this.database.jdbc()
			.queryForList("select tenant from ojs_tenant where tenant = ? for update", String.class, tenant)
			.isEmpty();
	}

	private void make(String tenant) {
		this.database.dialect()
			.insertUnlessThere(this.database.jdbc(), "insert into ojs_tenant (tenant) values (?)", tenant);
	}

	@Override
	public long scheduled(String tenant, long most) {
		return count(tenant, JobState.SCHEDULED, most);
	}

	@Override
	public long waiting(String tenant, long most) {
		long available = count(tenant, JobState.AVAILABLE, most);
		return (available < most) ? available + count(tenant, JobState.SCHEDULED, most - available) : available;
	}

	/**
	 * Counts in the order of an index, so that the planner does not scan the table for an
	 * early match. The tenant is no parameter, so the plan is made for it: with a plan
	 * for an average tenant, PostgreSQL would read all jobs of a tenant that has far
	 * more.
	 */
	private long count(String tenant, JobState state, long most) {
		if (!Tenants.isValid(tenant)) {
			throw new IllegalArgumentException("'%s' cannot be the id of a tenant.".formatted(tenant));
		}
		String sql = "select count(*) from (select 1 as one from ojs_job where tenant = '%s' and %s and state = '%s' "
				+ "order by created_at limit ?) counted";
		String index = (state == JobState.SCHEDULED) ? "due_at is not null" : "due_at is null and ended_at is null";
		return this.database.read("count the jobs of a tenant", () -> Objects.requireNonNull(
				this.database.jdbc().queryForObject(sql.formatted(tenant, index, state.wireName()), Long.class, most)));
	}

	@Override
	public Optional<EnqueuePeriod> enqueued(String tenant) {
		return this.database.read("tell what was enqueued for a tenant",
				() -> this.database.jdbc()
					.query("select period_nanos, period_since, enqueued from ojs_tenant "
							+ "where tenant = ? and period_since is not null",
							(row, index) -> new EnqueuePeriod(Duration.ofNanos(row.getLong("period_nanos")),
									SqlTimes.instant(row, "period_since"), row.getLong("enqueued")),
							tenant)
					.stream()
					.findFirst());
	}

	@Override
	public void enqueued(String tenant, EnqueuePeriod period) {
		this.database.write("count what is enqueued for a tenant",
				() -> this.database.jdbc()
					.update("update ojs_tenant set period_nanos = ?, period_since = ?, enqueued = ? where tenant = ?",
							period.length().toNanos(), Times.utc(period.since()), period.jobs(), tenant));
	}

	@Override
	public void append(List<TenantEvent.LimitReached> events, Instant now) {
		this.database.write("tell what happened to tenants", () -> {
			this.database.events()
				.append(events.stream()
					.map((event) -> new FeedEvent(TenantEvent.LimitReached.NAME, now, event.tenant(), event.queue(),
							event.tenant(), event.data()))
					.toList());
			return true;
		});
	}

}
