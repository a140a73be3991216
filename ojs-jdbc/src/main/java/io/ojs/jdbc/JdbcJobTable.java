package io.ojs.jdbc;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

import io.ojs.engine.JobRow;
import io.ojs.engine.JobRowCodec;
import io.ojs.engine.JobTable;
import io.ojs.engine.StartGate;
import io.ojs.engine.Times;
import io.ojs.engine.Transitions;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code ojs_job}.
 */
final class JdbcJobTable implements JobTable {

	private final StoreDatabase database;

	JdbcJobTable(StoreDatabase database) {
		this.database = database;
	}

	@Override
	public String id() {
		return this.database.id();
	}

	@Override
	public <T> T write(String what, Supplier<T> work) {
		return this.database.write(what, work);
	}

	@Override
	public <T> T telling(Supplier<T> work) {
		return this.database.afterCommit().later(work);
	}

	@Override
	public Transitions transitions(Instant now) {
		return this.database.transitions(now);
	}

	@Override
	public JobRowCodec codec() {
		return this.database.codec();
	}

	@Override
	public Map<UUID, JobRow> lock(Collection<UUID> ids, boolean all) {
		return this.database.jobs().lock(ids, all);
	}

	@Override
	public Map<UUID, JobRow> lockFree(Collection<UUID> ids, boolean all) {
		return this.database.jobs().lockFree(ids, all);
	}

	@Override
	public Set<UUID> known(Collection<UUID> ids) {
		return this.database.jobs().known(ids);
	}

	@Override
	public Collection<JobRow> lockLost(Instant now, int limit) {
		return this.database.jdbc()
			.query("select " + JobColumn.ALL_NAMES + " from ojs_job where state = 'active' and lease_until < ? "
			// Others have failed, and are looked for by those who know retry policies.
					+ "and (timeout_at is null or lease_until < timeout_at) and " + ProcessLeases.PROCESS_IS_GONE
					+ " order by lease_until limit ? for update skip locked", JobRows.ALL, Times.utc(now),
					Times.utc(now), limit);
	}

	@Override
	public void extendLeases(Collection<JobRow> rows, Instant now) {
		new ProcessLeases(this.database).extend(rows, now);
	}

	@Override
	public Set<UUID> adopt(Collection<JobRow> rows) {
		return this.database.jobs().insert(rows);
	}

	@Override
	public Set<UUID> deleted(Map<UUID, @Nullable String> stores) {
		return new DeletedJobs(this.database).among(stores);
	}

	@Override
	public boolean isHandedOver(String queue) {
		return this.database.options().handedOver().test(queue);
	}

	@Override
	public StartGate gate(Instant now) {
		return new JdbcStartGate(this.database, now);
	}

	@Override
	public void save(Transitions transitions) {
		this.database.save(transitions);
	}

}
