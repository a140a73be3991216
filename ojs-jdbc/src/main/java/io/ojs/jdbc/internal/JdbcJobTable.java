package io.ojs.jdbc.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

import io.ojs.internal.engine.JobRow;
import io.ojs.internal.engine.JobRowCodec;
import io.ojs.internal.engine.JobTable;
import io.ojs.internal.engine.StartGate;
import io.ojs.internal.engine.Times;
import io.ojs.internal.engine.Transitions;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code ojs_job}.
 */
public final class JdbcJobTable implements JobTable {

	/**
	 * Sets {@code relay_at} of running jobs that are due before their lease ends to that
	 * end.
	 */
	private static final String LOOK_AT_END = "update ojs_job set relay_at = lease_until where id in (select id "
			+ "from ojs_job where %s and state = 'active' and lease_until >= ? limit 1000 for update skip locked)";

	private final StoreDatabase database;

	private final Looks looks = new Looks();

	public JdbcJobTable(StoreDatabase database) {
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
		List<JobRow> lost = new ArrayList<>(
				lost("lease_ms is not null", "order by lease_until limit ?", Times.utc(now), limit));
		Instant from = this.looks.from(now);
		String due = "relay_at > ? and relay_at < ? and lease_ms is null";
		lost.addAll(lost(due, "and " + ProcessLeases.PROCESS_IS_GONE + " order by lease_until limit ?", Times.utc(from),
				Times.utc(now), Times.utc(now), Times.utc(now), limit - lost.size()));
		if (lost.size() < limit) {
			this.database.jdbc().update(LOOK_AT_END.formatted(due), Times.utc(from), Times.utc(now), Times.utc(now));
			this.looks.looked(now);
		}
		return lost;
	}

	/**
	 * Locks lost runs. {@code RunWatch} ends runs that have exceeded their timeout, since
	 * it knows the retry policies.
	 */
	private List<JobRow> lost(String which, String more, Object... parameters) {
		return this.database.jdbc()
			.query("select " + JobColumn.ALL_NAMES + " from ojs_job where " + which + " and state = 'active' "
					+ "and lease_until < ? and (timeout_at is null or lease_until < timeout_at) " + more
					+ " for update skip locked", JobRows.ALL, parameters);
	}

	@Override
	public void extendLeases(Collection<JobRow> rows, Instant now) {
		new ProcessLeases(this.database).extend(rows, now);
	}

	@Override
	public Set<UUID> adopt(Collection<JobRow> rows) {
		return this.database.adopt(rows);
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

	/**
	 * Remembers when lost runs were looked for. A look covers what has become due since
	 * the last one: jobs that the relay cannot publish are due all the time, and may be
	 * many. Every five minutes a look covers all rows: a row may have been locked, or
	 * another process may have died with rows that it was to look at.
	 */
	private static final class Looks {

		private static final Duration ALL_EVERY = Duration.ofMinutes(5);

		/**
		 * How far a look reaches back before the last one; longer than transactions lock
		 * rows.
		 */
		private static final Duration SLACK = Duration.ofMinutes(1);

		private volatile Instant all = Instant.EPOCH;

		private volatile Instant last = Instant.EPOCH;

		/** Returns the time after which runs must have become due. */
		Instant from(Instant now) {
			boolean some = !now.isBefore(this.last) && now.isBefore(this.all.plus(ALL_EVERY));
			return some ? this.last.minus(SLACK) : Instant.EPOCH;
		}

		void looked(Instant now) {
			if (from(now).equals(Instant.EPOCH)) {
				this.all = now;
			}
			this.last = now;
		}

	}

}
